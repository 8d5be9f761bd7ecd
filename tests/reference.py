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
