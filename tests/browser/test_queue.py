"""How a component's moves are sent (components/shared/moves.js), without a server."""

from __future__ import annotations

from tests.browser.javascript import Modules

BEGIN = """
  const { Moves, BACK, LEAVE } = await load("shared/moves.js");
  const messages = [];
  const send = (moves) => messages.push(moves.map(({ value, drag, done }) => [value, drag, done]));
  const last = () => moves.sent.at(-1).id;
  const moves = new Moves();
  moves.receive(null, send);
"""


def test_moves_wait_for_the_answer_and_then_go_together(page):
    messages, answered = Modules(page).run(
        BEGIN
        + """
        const answered = [];
        for (const value of ["a", "b", "c"]) moves.report(value);
        answered.push(moves.receive(null, send));  // an answer to something else: "a" is sent again
        const first = last();
        answered.push(moves.receive(first, send));  // "a" has arrived, "b" and "c" are sent
        answered.push(moves.receive(first, send), moves.receive(last(), send));
        return [messages, answered];
        """
    )
    values = [[value for value, _, _ in message] for message in messages]
    assert values == [["a"], ["a"], ["b", "c"], ["b", "c"]]
    assert answered == [False, False, False, True]
    gestures = {drag for message in messages for _, drag, _ in message}
    assert len(gestures) == 3 and all(done for message in messages for _, _, done in message)


def test_of_one_gesture_only_the_newest_move_waits(page):
    messages = Modules(page).run(
        BEGIN
        + """
        const one = moves.begin(), other = moves.begin();
        for (const value of [1, 2, 3]) moves.report(value, one, false);
        moves.report(4, one);
        for (const value of [5, 6]) moves.report(value, other, false);
        moves.receive(last(), send);
        return messages;
        """
    )
    (first,), (end, second) = messages
    assert (first[0], first[2]) == (1, False)
    assert (end[0], end[1], end[2]) == (4, first[1], True)  # where the first gesture ended is a step of the history
    assert (second[0], second[2]) == (6, False) and second[1] != first[1]


def test_moves_are_sent_again_when_the_server_is_back_and_at_once_when_the_page_is_left(page):
    values = Modules(page).run(
        BEGIN
        + """
        moves.report("a");
        window.dispatchEvent(new Event(BACK));
        moves.report("b");
        window.dispatchEvent(new Event(LEAVE));
        moves.receive(last(), send);
        window.dispatchEvent(new Event(BACK));
        moves.report("c");
        moves.stop();
        window.dispatchEvent(new Event(BACK));
        return messages.map((message) => message.map(([value]) => value));
        """
    )
    assert values == [["a"], ["a"], ["a", "b"], ["c"]]


def test_what_comes_of_leaving_a_page_is_sent_with_the_rest(page):
    values = Modules(page).run(
        """
        const { Moves, LEAVE } = await load("shared/moves.js");
        const messages = [];
        const moves = new Moves(() => moves.report("last"));
        moves.receive(null, (sent) => messages.push(sent.map(({ value }) => value)));
        moves.report("first");
        window.dispatchEvent(new Event(LEAVE));
        return messages;
        """
    )
    assert values == [["first"], ["first", "last"]]


def test_moves_of_two_scripts_have_numbers_of_their_own(page):
    """A place on a page may hold another component after a while, whose script has a copy of the module of its own."""
    ids = Modules(page).run(
        """
        const ids = [];
        for (const copy of ["shared/moves.js", "shared/moves.js?copy"]) {
          const moves = new (await load(copy)).Moves();
          moves.receive(null, (sent) => ids.push(sent.at(-1).id));
          moves.report("a");
        }
        return ids;
        """
    )
    assert ids[0] < ids[1]
