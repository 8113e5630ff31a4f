// Which moves belong to which places of a drawing.

// A place belongs to a move if its name is a run of the move's arguments ("palenque 3", "palenque"),
// or a square that the move's notation names.
export function keysOf(element) {
  return element.dataset.place.split(",").map((key) => key.trim()).filter(Boolean);
}

export function belongs(move, key) {
  if (move.squares.includes(key)) return true;
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

// The player on whose board a place is, where the board of the one who decides has the same place:
// then it is meant only by moves that name that player.
export function meantBy(svg, element, player) {
  const boards = [...svg.querySelectorAll(".board[data-player]")];
  const board = element.closest(".board[data-player]");
  if (!board || !boards[player] || board === boards[player]) return null;
  const own = [...boards[player].querySelectorAll("[data-place]")];
  return own.some((other) => other.dataset.place === element.dataset.place) ? board.dataset.player : null;
}

export function light(svg, moves, chosen, player) {
  for (const element of svg.querySelectorAll("[data-place]")) {
    const keys = keysOf(element);
    const action = element.dataset.action;
    const other = meantBy(svg, element, player);
    const open = moves.some(
      (move) =>
        (!other || move.args.includes(other)) &&
        (belongsToAny(move, keys) || (action && move.name === action)),
    );
    element.classList.toggle("open", open);
    element.classList.toggle("chosen", !other && chosen.some((one) => one.join() === keys.join()));
  }
}
