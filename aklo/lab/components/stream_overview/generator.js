// The generators of syn1, syn2 and conflict (aklo/tasks.py) once more: examples and labels from the settings that place a
// stream in the plane, and the stream's random numbers, which do not depend on these.

const radians = (degrees) => (degrees * Math.PI) / 180;
const round15 = (x) => Math.round(x * 1e15) / 1e15; // as in Python, so that 180 degrees is exactly the opposite

export function rotate([a, b], degrees) {
  const [c, s] = [round15(Math.cos(radians(degrees))), round15(Math.sin(radians(degrees)))];
  return [a * c - b * s, a * s + b * c];
}

// Where each of the two groups lies, and how it labels before D2's vector is turned by the angle.
export function placesOf(dataset, values) {
  const pair = (name) => [values[`${name}_x`], values[`${name}_y`]];
  const [second, vector] = dataset === "syn1" ? [pair("mean2"), pair("vector2")] : [pair("mean1"), pair("vector1")];
  return {
    means: [pair("mean1"), second],
    vectors: [pair("vector1"), vector],
    angle: dataset === "syn1" ? 0 : dataset === "syn2" ? 180 : values.angle,
  };
}

// The labelling vector of a group's task whose noise is e.
function labelling({ vectors, angle }, group, e) {
  const a = vectors[group].map((x) => x + e);
  return group === 1 ? rotate(a, angle) : a;
}

// The groups as they are drawn. design: dataset, values, e (the noise of each task), and for each group its tasks and rows
// [task, z1, z2], the examples' random numbers.
export function generate({ dataset, values, e, groups }) {
  const places = placesOf(dataset, values);
  return groups.map(({ group, name, tasks, rows }) => {
    const mean = places.means[group];
    const vectors = new Map(tasks.map((k) => [k, labelling(places, group, values.sd * e[k])]));
    const [plus, minus] = [[], []];
    for (const [k, ...z] of rows) {
      const x = mean.map((m, i) => m + values.spread * z[i]);
      const a = vectors.get(k);
      (x[0] * a[0] + x[1] * a[1] >= 0 ? plus : minus).push(x);
    }
    return { group, name, plus, minus, mean, vectors: [...vectors.values()], vector: labelling(places, group, 0) };
  });
}
