// What a browser keeps of rooms: a random number, by which its guesses are told from those of others, and the secrets of the
// rooms that it is the teacher of.

const PLACE = "aklo-rooms";
const MOST = 20; // rooms whose secret is kept, the latest ones

const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// Where a browser keeps nothing (it may be told so), it is somebody else after a reload.
let kept = null;

function read() {
  try {
    kept = JSON.parse(localStorage.getItem(PLACE)) ?? kept;
  } catch {
    // no storage, or not what was written there: a new number is made
  }
  if (typeof kept?.student !== "string" || typeof kept.teacher !== "object") write({ student: random(), teacher: {} });
  return kept;
}

function write(keys) {
  kept = keys;
  try {
    localStorage.setItem(PLACE, JSON.stringify(keys));
  } catch {
    // no storage
  }
}

// Who this browser is in a room.
export function whoAmI(code) {
  const { student, teacher } = read();
  return { student, secret: teacher[code] ?? null };
}

// Remember that this browser is the room's teacher.
export function keepSecret(code, secret) {
  const { student, teacher } = read();
  if (teacher[code] === secret) return;
  const others = Object.entries(teacher).filter(([other]) => other !== code);
  write({ student, teacher: Object.fromEntries([...others.slice(1 - MOST), [code, secret]]) });
}
