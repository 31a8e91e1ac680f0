"""Names in C: enumerators of parameters and of the state, local variables.

Enumerators are in capitals, local variables have a small letter, so that these two never meet. Neither meets
a keyword, a macro or a function that a problem file sees, nor an argument of its functions.
"""

import re

GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau "
    "upsilon phi chi psi omega").split()))

# Macros in capitals of what <daelab/model.h> and <daelab/drawing.h> include; those by prefix are below.
CAPITALS = set("""
    BIG_ENDIAN BYTE_ORDER DECIMAL_DIG EOF EXACT EXIT_FAILURE EXIT_SUCCESS FILENAME_MAX FN FOPEN_MAX HUGE
    HUGE_VAL HUGE_VALF HUGE_VALL I INFINITY LITTLE_ENDIAN L_TMPNAM MAXFLOAT MB_CUR_MAX NAN NFDBITS NULL
    OVERFLOW UNDERFLOW DOMAIN SING PLOSS TLOSS PDP_ENDIAN PI RAND_MAX SNAN SNANF SNANL
""".split())
CAPITAL_PREFIX = re.compile(r"(DAE|DAELAB|CMPLX[A-Z]?|DBL|FLT|LDBL|FP|MATH|FD|INT|UINT|SIZE|PTRDIFF|SEEK|TMP|BUFSIZ|SIG"
                            r"|WCHAR|WNOHANG|WNOWAIT|WUNTRACED|WCONTINUED|WEXITED|WSTOPPED|WEXITSTATUS|WTERMSIG"
                            r"|WSTOPSIG|WIF[A-Z]+)(_|$)|M_")

SMALL = set("""
    auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile
    while asm typeof real param value linux unix abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign
    cos cosh div drem erf erfc exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod frexp gamma hypot ilogb
    index isinf isnan j0 j1 jn labs ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf
    nan nearbyint nextafter pow pow10 rand random remainder remquo rint round scalb scalbln scalbn signbit
    signgam significand sin sincos sinh sqrt tan tanh tgamma time trunc y0 y1 yn
    p t q v a lambda r f g dg ddg h u s ds dds x k p_new d out n draw partials modes distance
""".split())


# dae_NAME of the headers.
OF_LIBRARY = re.compile(r"(action|atol|consistent|count|default|direction|disc|double|draw|dual|entries|error|event"
                        r"|fail|find|first|formulation|invariants|jacobian|linear|map[0-3]|mass|mechanical|method"
                        r"|methods|minimal|observer|options|parameter|parameters|partials|picture|plugin"
                        r"|problem|problems|put|quad|range|report|segment|solver|sparse|start|status|system|user)(_|$)")


def record(name):
    """The name of the record of a model."""
    return f"dae_{name}_problem" if OF_LIBRARY.match(name) else f"dae_{name}"


def identifier(name):
    """The name in letters, digits and _ of C."""
    spelled = "".join(GREEK.get(c, GREEK.get(c.lower(), "").capitalize()) or c for c in name)
    plain = re.sub(r"[^A-Za-z0-9_]", "_", spelled.replace("'", "_dot")).strip("_")
    return plain if plain and not plain[0].isdigit() else "n" + plain


def _free(wanted, taken):
    """The first of the names that is not taken; the last is counted up."""
    for name in wanted:
        if name not in taken:
            return name
    number = 2
    while f"{wanted[-1]}_{number}" in taken:
        number += 1
    return f"{wanted[-1]}_{number}"


def _in_capitals(names, taken, mark):
    """Enumerators of the names; one that is in capitals already comes first to its own, others have a mark."""
    found = {}
    for name in sorted(names, key=lambda n: identifier(n) != identifier(n).upper()):
        capital = identifier(name).upper()
        macro = capital in CAPITALS or CAPITAL_PREFIX.match(capital)
        found[name] = _free([f"THE_{capital}"] if macro else [capital, f"{mark}_{capital}"], taken)
        taken.add(found[name])
    return found


class Names:
    """Names of a model: enumerators of parameters and of states (q, v, reactions), words of the text."""

    def __init__(self, model):
        taken = set()
        parameters = _in_capitals([p.name for p in model.parameters], taken, "SMALL")
        self.parameters = {p.symbol: parameters[p.name] for p in model.parameters}
        self.words = {p.symbol: p.name for p in model.parameters}
        for c in model.coordinates:
            self.words.update({c.q: c.name, c.v: c.name + "'", c.a: c.name + "''"})
        for reaction in [*model.constraints, *model.frictions]:
            self.words[reaction.symbol] = reaction.name
        plain = {c.q: c.name for c in model.coordinates}
        plain.update({r.symbol: r.name for r in [*model.constraints, *model.frictions]})
        words = {*plain.values(), *(p.name for p in model.parameters)}
        for c in model.coordinates:
            plain[c.v] = _free(["d" + c.name, "rate_of_" + c.name], words)
            words.add(plain[c.v])
        states = _in_capitals(list(dict.fromkeys(plain.values())), taken, "AT")
        self.states = {symbol: states[name] for symbol, name in plain.items()}
        self.reactions = _free(["REACTIONS"], taken)
        self.small = {symbol: identifier(name) for symbol, name in plain.items()}
        self.small.update({c.a: "dd" + identifier(c.name) for c in model.coordinates})
        self.small.update({p.symbol: identifier(p.name) for p in model.parameters})


class Locals:
    """Names of the variables of one function."""

    def __init__(self, names):
        self.names = names
        self.taken = SMALL | {name.lower() for name in names.small.values()}

    def new(self, *wanted):
        """The first of these that is free here."""
        name = _free([w.lower() if w == w.upper() else w for w in map(identifier, wanted)], self.taken)
        self.taken.add(name)
        return name
