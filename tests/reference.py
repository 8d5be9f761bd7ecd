"""The method once more: slow, literal, one example at a time, independent of aklo."""

import math
from dataclasses import dataclass, field

import numpy as np

METHODS = ("ITOL", "TOL", "Unif Sample", "Unif Sum", "AKLO Sample", "AKLO Sum")
SAMPLING = ("Unif Sample", "AKLO Sample")


@dataclass
class Result:
    """What a pass over the stream leaves behind; every list has one entry for each task."""

    errors: dict = field(default_factory=lambda: {m: [] for m in METHODS})  # (N,) bool
    confidence: dict = field(default_factory=lambda: {m: [] for m in METHODS})  # (N,) value whose sign is predicted
    experts: np.ndarray | None = None  # (n_tasks, d) the final learners
    # The rest only with history=True.
    weights: list = field(default_factory=list)  # (N, T) p_t before example t
    learner: list = field(default_factory=list)  # (N, d) w_t before example t
    joint_learner: list = field(default_factory=list)  # (N, d) TOL's w before example t
    eps: list = field(default_factory=list)  # (N,)
    expected: dict = field(default_factory=lambda: {m: [] for m in SAMPLING})  # (N,) probability of an error
    closest: list = field(default_factory=list)  # (N,) least |value| over the experts a sampling method could draw


def cut(z):
    """clip(z): z cut to [-1, 1]."""
    return max(-1.0, min(1.0, z))


def sign(z):
    """The predicted label; a tie predicts +1."""
    return 1 if z >= 0 else -1


def weighted(q, values):
    """sum_i q_i v_i; exact sums, and sum_i q_i = 1 made true beyond its rounding, so that an exact tie stays exact."""
    return math.fsum([q_i * v for q_i, v in zip(q, values, strict=True)]) / math.fsum(q)


def step(w, x, y, lam, t):
    """The learner's w_{t+1} from w_t and example t (t from 1)."""
    eta = 1 / (lam * t)
    margin = y * float(w @ x)
    w = (1 - eta * lam) * w
    return w if margin >= 1 else w + eta * y * x


def rate(T, alphas):
    """eps = sqrt(log T / (8 sum alpha)); 0 with fewer than two experts or a zero sum."""
    total = math.fsum(alphas)
    return math.sqrt(math.log(T) / (8 * total)) if T > 1 and total > 0 else 0.0


def trust(L, eps):
    """p(i) proportional to exp(-eps L(i)); the least L is taken off, which changes nothing but the underflow."""
    least = min(L)
    shares = [math.exp(-eps * (L_i - least)) for L_i in L]
    total = math.fsum(shares)
    return [share / total for share in shares]


def draw(q, rng):
    """One expert's number, drawn from the weights q."""
    u = rng.random()
    for i, q_i in enumerate(q):
        u -= q_i
        if u < 0:
            return i
    return len(q) - 1


def run(tasks, lam, alpha, clip="sum", horizon="known", rng=None, history=False):
    """All six methods in one pass over tasks [(X, y), ...]; alpha is a function n -> alpha_1..alpha_n."""
    rng = np.random.default_rng(0) if rng is None else rng
    result = Result()
    d = tasks[0][0].shape[1]
    experts = []
    joint, joint_t = np.zeros(d), 0
    for X, y in tasks:
        N, T = len(y), len(experts)
        alphas = [float(a) for a in alpha(N)]
        labels = [int(label) for label in y]
        confidence = {m: [] for m in METHODS}
        seen = {name: [] for name in ("weights", "learner", "joint_learner", "eps", "closest", *SAMPLING)}
        w = np.zeros(d)
        L = [0.0] * T
        uniform = [1 / T] * T if T else []
        eps = rate(T, alphas)
        for t in range(1, N + 1):
            x, label, alpha_t = X[t - 1], labels[t - 1], alphas[t - 1]
            if horizon == "unknown" and t & (t - 1) == 0:  # t = 2^m: a new period
                L = [0.0] * T
                eps = rate(T, alphas[:t])

            # Predict, from what was seen before t only.
            alone = cut(float(w @ x))
            values = dict.fromkeys(METHODS, alone)
            values["TOL"] = cut(float(joint @ x))
            p, advice = [], []
            if T:
                scores = [float(expert @ x) for expert in experts]
                advice = [cut(score) for score in scores]
                p = trust(L, eps)
                if clip == "sum":
                    words = {"Unif Sum": cut(weighted(uniform, scores)), "AKLO Sum": cut(weighted(p, scores))}
                else:
                    words = {"Unif Sum": weighted(uniform, advice), "AKLO Sum": weighted(p, advice)}
                words["Unif Sample"] = advice[draw(uniform, rng)]
                words["AKLO Sample"] = advice[draw(p, rng)]
                for method, word in words.items():
                    values[method] = (1 - alpha_t) * alone + alpha_t * word
            for method in METHODS:
                confidence[method].append(values[method])

            if history:
                mixed = [(1 - alpha_t) * alone + alpha_t * a for a in advice] or [alone]
                wrong = [float(sign(value) != label) for value in mixed]
                seen["Unif Sample"].append(weighted(uniform or [1.0], wrong))
                seen["AKLO Sample"].append(weighted(p or [1.0], wrong))
                seen["closest"].append(min(abs(value) for value in mixed))
                seen["weights"].append(p)
                seen["learner"].append(w)
                seen["joint_learner"].append(joint)
                seen["eps"].append(eps)

            # The label is shown: everybody learns.
            for i in range(T):
                L[i] += (advice[i] - label) ** 2
            w = step(w, x, label, lam, t)
            joint_t += 1
            joint = step(joint, x, label, lam, joint_t)
        experts.append(w)

        for method in METHODS:
            result.confidence[method].append(np.array(confidence[method]))
            wrong = [sign(value) != label for value, label in zip(confidence[method], labels, strict=True)]
            result.errors[method].append(np.array(wrong))
        if history:
            result.weights.append(np.array(seen["weights"]).reshape(N, T))
            result.learner.append(np.array(seen["learner"]))
            result.joint_learner.append(np.array(seen["joint_learner"]))
            result.eps.append(np.array(seen["eps"]))
            result.closest.append(np.array(seen["closest"]))
            for method in SAMPLING:
                result.expected[method].append(np.array(seen[method]))
    result.experts = np.array(experts)
    return result


# The schedules: alpha_t for t = 1..n, straight from the contract's table.


def linear(n, end=0.0):
    """1 - (1-end)(t-1)/N."""
    return np.array([1 - (1 - end) * (t - 1) / n for t in range(1, n + 1)])


def cosine(n):
    """(1 + cos(pi (t-1)/N)) / 2."""
    return np.array([(1 + math.cos(math.pi * (t - 1) / n)) / 2 for t in range(1, n + 1)])


def custom(n, points):
    """Straight lines through the points, the first at t = 1, the last at t = N."""
    values = []
    for t in range(1, n + 1):
        place = (t - 1) * (len(points) - 1) / (n - 1) if n > 1 else 0.0
        left = min(int(place), len(points) - 1)
        right = min(left + 1, len(points) - 1)
        values.append(points[left] + (place - left) * (points[right] - points[left]))
    return np.array(values)


def constant(n, value):
    """value."""
    return np.array([float(value) for _ in range(n)])


def exponential(n, half_life):
    """2^(-(t-1)/half_life)."""
    return np.array([2 ** (-(t - 1) / half_life) for t in range(1, n + 1)])


def power(n, k):
    """t^(-k)."""
    return np.array([float(t) ** -k for t in range(1, n + 1)])


def step_down(n, at):
    """1 while t <= at, then 0."""
    return np.array([1.0 if t <= at else 0.0 for t in range(1, n + 1)])


def logistic(n, middle, width):
    """s((middle-t)/width) / s((middle-1)/width)."""

    def s(z):
        return 1 / (1 + math.exp(-z))

    return np.array([s((middle - t) / width) / s((middle - 1) / width) for t in range(1, n + 1)])


def ramp(n, end, steps):
    """1 - (1-end)(t-1)/steps, and end from there on."""
    return np.array([max(end, 1 - (1 - end) * (t - 1) / steps) for t in range(1, n + 1)])


SCHEDULES = {
    "Ramp": ramp, "Linear": linear, "Cosine": cosine, "Custom": custom, "Constant": constant,
    "Exponential": exponential, "Power": power, "Step": step_down, "Logistic": logistic,
}  # fmt: skip
NEED_HORIZON = ("Linear", "Cosine", "Custom")


# The other rules, literally. Each takes the advice of the pool's members and the labels of a task with T >= 1 experts,
# and yields for each t the value whose sign is predicted, and the weights of all members before t, the learner first.


def prior(n_learners, T):
    """The learners share 1/2, and the experts the other half."""
    return [0.5 / n_learners] * n_learners + [0.5 / T] * T


def normalised(weights):
    """The weights over their sum."""
    total = math.fsum(weights)
    return [w / total for w in weights]


def votes(p, advice):
    """(q(+1) - q(-1)) / (q(+1) + q(-1)) for q(y) = sum_i p_i exp(-(a_i - y)^2 / 2)."""
    plus = math.fsum([p_i * math.exp(-((a - 1) ** 2) / 2) for p_i, a in zip(p, advice, strict=True)])
    minus = math.fsum([p_i * math.exp(-((a + 1) ** 2) / 2) for p_i, a in zip(p, advice, strict=True)])
    return (plus - minus) / (plus + minus)


def one_pool(learners, advice, labels, alphas):
    """p_{t+1}(i) proportional to p_t(i) exp(-(a_t(i) - y_t)^2 / 2); the larger q_t is predicted."""
    p = prior(len(learners[0]), len(advice[0]))
    for own, others, y in zip(learners, advice, labels, strict=True):
        said = [*own, *others]
        yield votes(p, said), p
        p = normalised([p_i * math.exp(-((a - y) ** 2) / 2) for p_i, a in zip(p, said, strict=True)])


def half_rate(learners, advice, labels, alphas):
    """AKLO Sum with the clip on each expert and eps = 1/2."""
    L = [0.0] * len(advice[0])
    for own, others, y, alpha in zip(learners, advice, labels, alphas, strict=True):
        q = trust(L, 0.5)
        yield (1 - alpha) * own[0] + alpha * weighted(q, others), [1 - alpha] + [alpha * q_i for q_i in q]
        L = [L_i + (a - y) ** 2 for L_i, a in zip(L, others, strict=True)]


def two_levels(learners, advice, labels, alphas):
    """HomOTL-I with a pool of experts."""
    L, alpha = [0.0] * len(advice[0]), 0.5
    for own, others, y in zip(learners, advice, labels, strict=True):
        q = trust(L, 1 / 8)
        O, c = weighted(q, others), own[0]
        yield (1 - alpha) * c + alpha * O, [1 - alpha] + [alpha * q_i for q_i in q]
        u, v = math.exp(-((O - y) ** 2) / 8), math.exp(-((c - y) ** 2) / 8)
        alpha = alpha * u / (alpha * u + (1 - alpha) * v)
        L = [L_i + (a - y) ** 2 for L_i, a in zip(L, others, strict=True)]


def fixed_share(learners, advice, labels, alphas):
    """One pool; after label t a share of 1/(t+1) goes back to the prior."""
    pi = prior(len(learners[0]), len(advice[0]))
    p = pi
    for t, (own, others, y) in enumerate(zip(learners, advice, labels, strict=True), 1):
        said, s = [*own, *others], 1 / (t + 1)
        yield votes(p, said), p
        v = normalised([p_i * math.exp(-((a - y) ** 2) / 2) for p_i, a in zip(p, said, strict=True)])
        p = [(1 - s) * v_i + s * pi_i for v_i, pi_i in zip(v, pi, strict=True)]


def adahedge(learners, advice, labels, alphas):
    """Hedge with eta = ln(T+1) / Delta; the leaders only while Delta is 0."""
    pi = prior(len(learners[0]), len(advice[0]))
    L, Delta = [0.0] * len(pi), 0.0
    for own, others, y in zip(learners, advice, labels, strict=True):
        said = [*own, *others]
        e = [(a - y) ** 2 for a in said]
        least = min(L)
        if Delta == 0:
            leads = [L_i - least <= 1e-12 * max(1.0, least) for L_i in L]  # equal but for rounding
            p = normalised([pi_i * leads_i for pi_i, leads_i in zip(pi, leads, strict=True)])
            mix = min(L_i + e_i for L_i, e_i in zip(L, e, strict=True)) - least
        else:
            eta = math.log(len(others) + 1) / Delta
            p = normalised([pi_i * math.exp(-eta * (L_i - least)) for pi_i, L_i in zip(pi, L, strict=True)])
            low = min(e_i for e_i, p_i in zip(e, p, strict=True) if p_i > 0)
            shares = [p_i * math.exp(-eta * (e_i - low)) for p_i, e_i in zip(p, e, strict=True)]
            mix = low - math.log(math.fsum(shares)) / eta
        yield weighted(p, said), p
        mean = weighted(p, e)
        if mean - mix > 1e-12 * max(1.0, mean):
            Delta += mean - mix
        L = [L_i + e_i for L_i, e_i in zip(L, e, strict=True)]


RULES = {
    "One pool": one_pool, "One pool with TOL": one_pool, "AKLO, rate 1/2": half_rate, "Two levels": two_levels,
    "Fixed share": fixed_share, "AdaHedge": adahedge,
}  # fmt: skip


def run_rule(name, result, tasks, alpha, experts=None):
    """One rule on every task of a stream: for each the values and the weights before t, from a result with history.

    experts: those of the first task, if there are any.
    """
    known = [] if experts is None else list(experts)
    values, weights = [], []
    for (X, y), w, joint, final in zip(tasks, result.learner, result.joint_learner, result.experts, strict=True):
        labels = [int(label) for label in y]
        own = [cut(float(w_t @ x)) for w_t, x in zip(w, X, strict=True)]
        tol = [cut(float(w_t @ x)) for w_t, x in zip(joint, X, strict=True)]
        learners = [[c, j] if name == "One pool with TOL" else [c] for c, j in zip(own, tol, strict=True)]
        advice = [[cut(float(expert @ x)) for expert in known] for x in X]
        if known:
            found = list(RULES[name](learners, advice, labels, [float(a) for a in alpha(len(y))]))
        else:
            found = [(c, [1.0]) for c in own]  # without experts the learner predicts alone
        values.append(np.array([value for value, _ in found]))
        weights.append(np.array([p for _, p in found]))
        known.append(final)
    return values, weights
