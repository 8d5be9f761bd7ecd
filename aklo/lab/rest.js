// Two frames after a new turn has come, what came with it has been painted.
let last = 0;

export default function ({ data, setTriggerValue }) {
  const { turn } = data;
  if (turn && turn !== last) requestAnimationFrame(() => requestAnimationFrame(() => setTriggerValue("turn", turn)));
  last = turn;
}
