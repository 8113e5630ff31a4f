// The picture of a seat, what it decides, its moves as buttons, and the last lines of the log.
export default {
  render({ model, el }) {
    const picture = document.createElement("div");
    const prompt = document.createElement("p");
    const buttons = document.createElement("div");
    const log = document.createElement("ul");
    prompt.style.fontWeight = "bold";
    buttons.style.cssText = "display: flex; flex-wrap: wrap; gap: 4px";
    log.style.color = "#6b675f";
    el.append(picture, prompt, buttons, log);

    function show() {
      // The picture comes from the library and escapes all texts of the rules.
      picture.innerHTML = model.get("picture");
      prompt.textContent = model.get("prompt");
      buttons.replaceChildren(
        ...model.get("moves").map((move, number) => {
          const button = document.createElement("button");
          button.textContent = move;
          button.addEventListener("click", () => {
            model.set("pressed", [number, model.get("turn")]);
            model.save_changes();
          });
          return button;
        }),
      );
      log.replaceChildren(
        ...model.get("log").map((line) => {
          const item = document.createElement("li");
          item.textContent = line;
          return item;
        }),
      );
    }

    model.on("change:turn", show);
    show();
  },
};
