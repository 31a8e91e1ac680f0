/* sundials_versions.h - SUNDIALS 6.4 to 7.5 in the words of version 7
 *
 * Since version 7 every object of a context tells its failures to the handler of the context; before,
 * integrators and KINSOL had a handler each. Codes and the absent communicator got names of their own.
 * Since version 7.1 all steppers of ARKODE share the functions that ARKStep had for itself.
 */
#ifndef DAE_SUNDIALS_VERSIONS_H
#define DAE_SUNDIALS_VERSIONS_H

#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <kinsol/kinsol.h>
#include <stddef.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_linearsolver.h>

#ifndef SUNDIALS_DOUBLE_PRECISION
#error "daelab needs a SUNDIALS whose sunrealtype is double"
#endif

#if SUNDIALS_VERSION_MAJOR < 7
typedef int SUNErrCode;
#define SUN_COMM_NULL NULL
#define SUN_SUCCESS 0
#define SUN_ERR_EXT_FAIL SUNLS_PACKAGE_FAIL_UNREC
#define SUN_ERR_MALLOC_FAIL SUNLS_MEM_FAIL
#endif

#if SUNDIALS_VERSION_MAJOR < 7 || (SUNDIALS_VERSION_MAJOR == 7 && SUNDIALS_VERSION_MINOR < 1)
#define ARKodeFree ARKStepFree
#define ARKodeSetUserData ARKStepSetUserData
#define ARKodeWFtolerances ARKStepWFtolerances
#define ARKodeSetLinearSolver ARKStepSetLinearSolver
#define ARKodeSetLinSysFn ARKStepSetLinSysFn
#define ARKodeSetNonlinearSolver ARKStepSetNonlinearSolver
#define ARKodeSetNonlinConvCoef ARKStepSetNonlinConvCoef
#define ARKodeSetMaxNonlinIters ARKStepSetMaxNonlinIters
#define ARKodeSetMaxNumSteps ARKStepSetMaxNumSteps
#define ARKodeSetMaxErrTestFails ARKStepSetMaxErrTestFails
#define ARKodeSetDeduceImplicitRhs ARKStepSetDeduceImplicitRhs
#define ARKodeSetPredictorMethod ARKStepSetPredictorMethod
#define ARKodeSetFixedStep ARKStepSetFixedStep
#define ARKodeSetInitStep ARKStepSetInitStep
#define ARKodeSetMaxStep ARKStepSetMaxStep
#define ARKodeSetStopTime ARKStepSetStopTime
#define ARKodeEvolve ARKStepEvolve
#define ARKodeGetDky ARKStepGetDky
#define ARKodeGetErrWeights ARKStepGetErrWeights
#define ARKodeGetEstLocalErrors ARKStepGetEstLocalErrors
#define ARKodeGetStepStats ARKStepGetStepStats
#define ARKodeGetCurrentState ARKStepGetCurrentState
#define ARKodeGetLastLinFlag ARKStepGetLastLinFlag
#define ARKodeGetNumErrTestFails ARKStepGetNumErrTestFails
#define ARKodeGetNumStepSolveFails ARKStepGetNumStepSolveFails
#define ARKodeGetNumLinSolvSetups ARKStepGetNumLinSolvSetups
#define ARKodeGetNonlinSolvStats ARKStepGetNonlinSolvStats
#endif

/* The handler, a SUNErrHandlerFn; data are the dae_words that keep the text. */
void dae_words_catch(int line, const char *function, const char *file, const char *text,
                     SUNErrCode code, void *data, SUNContext context);

/* It hears all objects of a context, and the IDA or KINSOL that is made in it; 0 or a code. */
#if SUNDIALS_VERSION_MAJOR < 7

static inline void dae_words_catch_6(int code, const char *module, const char *function, char *text,
                                     void *data)
{
    (void)module;
    dae_words_catch(0, function, "", text, code, data, NULL);
}

static inline int dae_hear_context(SUNContext context, void *words)
{
    (void)context, (void)words;
    return SUN_SUCCESS;
}

static inline int dae_hear_ida(void *ida, void *words)
{
    return IDASetErrHandlerFn(ida, dae_words_catch_6, words);
}

static inline int dae_hear_cvode(void *cvode, void *words)
{
    return CVodeSetErrHandlerFn(cvode, dae_words_catch_6, words);
}

static inline int dae_hear_arkode(void *arkode, void *words)
{
    return ARKStepSetErrHandlerFn(arkode, dae_words_catch_6, words);
}

static inline int dae_hear_kinsol(void *kinsol, void *words)
{
    return KINSetErrHandlerFn(kinsol, dae_words_catch_6, words);
}

#else

static inline int dae_hear_context(SUNContext context, void *words)
{
    const SUNErrCode code = SUNContext_ClearErrHandlers(context);
    return code ? code : SUNContext_PushErrHandler(context, dae_words_catch, words);
}

static inline int dae_hear_ida(void *ida, void *words)
{
    (void)ida, (void)words;
    return IDA_SUCCESS;
}

static inline int dae_hear_cvode(void *cvode, void *words)
{
    (void)cvode, (void)words;
    return CV_SUCCESS;
}

static inline int dae_hear_arkode(void *arkode, void *words)
{
    (void)arkode, (void)words;
    return ARK_SUCCESS;
}

static inline int dae_hear_kinsol(void *kinsol, void *words)
{
    (void)kinsol, (void)words;
    return KIN_SUCCESS;
}

#endif
#endif
