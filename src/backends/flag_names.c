/* flag_names.c - the flags of IDA and KINSOL by name
 *
 * IDAGetReturnFlagName and KINGetReturnFlagName write the name into memory without a
 * look at whether they got any.
 */
#include "sundials.h"

typedef struct {
    int flag;
    const char *name;
} flag_name;

#define FLAG(name) {name, #name}

static const flag_name ida[] = {
    FLAG(IDA_TOO_MUCH_WORK),   FLAG(IDA_TOO_MUCH_ACC),    FLAG(IDA_ERR_FAIL),
    FLAG(IDA_CONV_FAIL),       FLAG(IDA_LINIT_FAIL),      FLAG(IDA_LSETUP_FAIL),
    FLAG(IDA_LSOLVE_FAIL),     FLAG(IDA_RES_FAIL),        FLAG(IDA_REP_RES_ERR),
    FLAG(IDA_RTFUNC_FAIL),     FLAG(IDA_CONSTR_FAIL),     FLAG(IDA_FIRST_RES_FAIL),
    FLAG(IDA_LINESEARCH_FAIL), FLAG(IDA_NO_RECOVERY),     FLAG(IDA_NLS_INIT_FAIL),
    FLAG(IDA_NLS_SETUP_FAIL),  FLAG(IDA_NLS_FAIL),        FLAG(IDA_MEM_NULL),
    FLAG(IDA_MEM_FAIL),        FLAG(IDA_ILL_INPUT),       FLAG(IDA_NO_MALLOC),
    FLAG(IDA_BAD_EWT),         FLAG(IDA_BAD_K),           FLAG(IDA_BAD_T),
    FLAG(IDA_BAD_DKY),         FLAG(IDA_VECTOROP_ERR),    {0, NULL},
};

static const flag_name kin[] = {
    FLAG(KIN_MEM_NULL),             FLAG(KIN_ILL_INPUT),          FLAG(KIN_NO_MALLOC),
    FLAG(KIN_MEM_FAIL),             FLAG(KIN_LINESEARCH_NONCONV), FLAG(KIN_MAXITER_REACHED),
    FLAG(KIN_MXNEWT_5X_EXCEEDED),   FLAG(KIN_LINESEARCH_BCFAIL),  FLAG(KIN_LINSOLV_NO_RECOVERY),
    FLAG(KIN_LINIT_FAIL),           FLAG(KIN_LSETUP_FAIL),        FLAG(KIN_LSOLVE_FAIL),
    FLAG(KIN_SYSFUNC_FAIL),         FLAG(KIN_FIRST_SYSFUNC_ERR),  FLAG(KIN_REPTD_SYSFUNC_ERR),
    FLAG(KIN_VECTOROP_ERR),         FLAG(KIN_INITIAL_GUESS_OK),   FLAG(KIN_STEP_LT_STPTOL),
    {0, NULL},
};

static const char *look_up(const flag_name *names, int flag)
{
    while (names->name && names->flag != flag)
        names++;
    return names->name ? names->name : "unknown flag";
}

const char *dae_ida_flag_name(int flag) { return look_up(ida, flag); }
const char *dae_kinsol_flag_name(int flag) { return look_up(kin, flag); }
