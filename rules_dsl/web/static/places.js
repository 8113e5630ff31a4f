// Which moves belong to which places of a drawing.

// A place belongs to a move if its name is a run of the move's arguments ("palenque 3", "palenque").
export function keysOf(element) {
  return element.dataset.place.split(",").map((key) => key.trim()).filter(Boolean);
}

export function belongs(move, key) {
  const words = move.args;
  const wanted = key.split(" ");
  for (let at = 0; at + wanted.length <= words.length; at += 1) {
    if (wanted.every((word, k) => words[at + k] === word)) return true;
  }
  return false;
}

const belongsToAny = (move, keys) => keys.some((key) => belongs(move, key));

export function narrowed(moves, chosen, text) {
  const wanted = text.trim().toLowerCase();
  return moves.filter(
    (move) =>
      chosen.every((keys) => belongsToAny(move, keys)) &&
      (!wanted || `${move.name} ${move.text} ${move.shown}`.toLowerCase().includes(wanted)),
  );
}

export function light(svg, moves, chosen) {
  for (const element of svg.querySelectorAll("[data-place]")) {
    const keys = keysOf(element);
    const action = element.dataset.action;
    const open = moves.some((move) => belongsToAny(move, keys) || (action && move.name === action));
    element.classList.toggle("open", open);
    element.classList.toggle("chosen", chosen.some((other) => other.join() === keys.join()));
  }
}
