// The line between a screen and its room. It tells Python who the browser is, asks the server every second what has changed,
// shows how many have joined and answered, and has the page drawn anew when the teacher has gone on.

import { labRoot } from "../shared/address.js";
import { h, setText } from "../shared/dom.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { keepSecret, whoAmI } from "./keys.js";

const EVERY = 1000; // milliseconds between two questions to the server, at most; a large class waits longer, but not its wall
const SPREAD = 0.3; // share of that time by which a screen may ask earlier
const AGAIN = 2500; // milliseconds after which Python is told again what it has not heard

const people = (n) => (n === 1 ? "1 student" : `${n} students`);

function counted({ joined, answered }, state) {
  if (state === "waiting") return joined ? `${people(joined)} in the room` : "Nobody has joined yet";
  return `${answered} of ${people(joined)} ${answered === 1 ? "has" : "have"} answered`;
}

class RoomClient {
  constructor(place) {
    this.code = h("p", { class: "code" });
    this.link = h("p", { class: "link" });
    this.image = h("img", { alt: "QR code of the link to the room" });
    this.local = h("p", { class: "soft", text: "This address works on this computer only. Open the lab by the address at which your class reaches it." });
    this.count = h("p", { class: "count", role: "status" });
    this.heading = h("p", { class: "soft" });
    this.invitation = h("div", { class: "invitation" }, this.heading, this.code, h("p", { class: "soft", text: "or by the link" }), this.link, this.local);
    this.root = h("section", { class: "room", "data-aklo": "room", "aria-label": "Room" }, this.invitation, this.image, this.count);
    place.append(this.root);
    this.sent = {}; // name -> what Python was told last, and when
    this.wake = () => document.hidden || this.ask();
    document.addEventListener("visibilitychange", this.wake);
  }

  receive({ data, setTriggerValue }) {
    const before = this.data;
    this.data = readJson(data);
    this.trigger = setTriggerValue;
    if (this.data.secret) keepSecret(this.data.code, this.data.secret);
    const { code, state, size, link, qr } = this.data;
    setText(this.heading, state === "closed" ? "Room" : "Join with the code");
    this.root.dataset.size = size;
    setText(this.code, code);
    setText(this.link, link.replace(/^https?:\/\//, ""));
    if (qr && this.image.getAttribute("src") !== qr) this.image.src = qr;
    this.image.hidden = !qr;
    this.local.hidden = !this.data.local;
    this.counts = this.data.counts ?? this.counts;
    if (this.counts) this.draw();
    if (before?.code !== code || this.data.asks) this.ask();
  }

  // Ask the server what has changed; and again after a while.
  async ask() {
    clearTimeout(this.timer);
    const { code, asks } = this.data;
    if (asks) this.tell("who", whoAmI(code));
    let heard = null;
    try {
      const answer = await fetch(new URL(`rooms/${code}`, labRoot()));
      if (answer.ok) heard = await answer.json();
    } catch {
      // The server is away, which the page says by itself: it is asked again.
    }
    if (this.removed || this.data.code !== code) return;
    if (heard) this.hear(heard);
    clearTimeout(this.timer); // somebody else may have asked meanwhile
    this.timer = setTimeout(() => this.ask(), this.wait ?? EVERY);
  }

  hear(answer) {
    // Not all at once: a class that has come together, or has found its server again, would go on asking together.
    this.wait = this.data.secret ? EVERY : Math.max(EVERY, 1000 * (answer.wait ?? 0)) * (1 - SPREAD * Math.random());
    if (answer.fault) setText(this.count, answer.fault);
    if (answer.gone) this.tell("news", "gone");
    if (answer.revision === undefined) return;
    this.counts = answer;
    this.draw();
    if (answer.revision !== this.data.revision) this.tell("news", answer.revision);
  }

  draw() {
    setText(this.count, counted(this.counts, this.data.state));
    this.root.dataset.answered = this.counts.answered;
    this.root.dataset.joined = this.counts.joined;
  }

  // Tell Python something; not again before some time, since it may take a while to answer.
  tell(name, value) {
    const [last, when] = this.sent[name] ?? [];
    if (last === JSON.stringify(value) && performance.now() - when < AGAIN) return;
    this.sent[name] = [JSON.stringify(value), performance.now()];
    this.trigger(name, value);
  }

  remove() {
    this.removed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.wake);
  }
}

export default mountOnce(RoomClient, (client, call) => client.receive(call));
