// The words of the pages, in English and Russian; the rules bring labels of their own.

const RUSSIAN = {
  "Games": "Игры",
  "Simulate": "Симуляция",
  "Tables": "Столы",
  "My tables": "Мои столы",
  "Nothing yet: start a game below.": "Пока пусто: начните игру ниже.",
  "Play against bots": "Играть с ботами",
  "More …": "Ещё …",
  "Set up a table": "Накрыть стол",
  "Write a house rule": "Своё правило",
  "Read the rules": "Читать правила",
  "players": "игроков",
  "Players": "Игроки",
  "Seats": "Места",
  "Variants": "Варианты",
  "Options": "Настройки",
  "me": "я",
  "a friend, by link": "друг, по ссылке",
  "bot: random": "бот: случайный",
  "bot: greedy": "бот: жадный",
  "bot: mcts": "бот: поиск",
  "Open a saved game": "Открыть партию",
  "Forget": "Забыть",
  "Your turn": "Ваш ход",
  "waits": "ждём",
  "decides": "решает",
  "thinks …": "думает …",
  "The game is over": "Игра окончена",
  "won": "победа",
  "Moves": "Ходы",
  "Narrow the list …": "Сузить список …",
  "Clear": "Сбросить",
  "Play": "Сделать ход",
  "Undo": "Отменить",
  "Fork": "Ответвить",
  "Save": "Сохранить",
  "Invite": "Пригласить",
  "Log": "Журнал",
  "What it does": "Что произойдёт",
  "Nothing that can be told beforehand.": "Заранее сказать нельзя.",
  "Why not?": "Почему нельзя?",
  "A move, for example: ": "Ход, например: ",
  "Ask": "Спросить",
  "Not possible now": "Сейчас нельзя",
  "You watch": "Вы зритель",
  "You are": "Вы играете за",
  "position": "позиция",
  "of": "из",
  "Back to now": "К текущей",
  "Pass the device to": "Передайте устройство:",
  "I am": "Я —",
  "Links for the other seats": "Ссылки для других мест",
  "Copy": "Скопировать",
  "Everybody who has a link plays that seat; without one they watch.":
    "У кого есть ссылка, тот играет за это место; без ссылки можно смотреть.",
  "Last move": "Последний ход",
  "Nothing can be done with this now.": "С этим сейчас ничего нельзя сделать.",
  "Format": "Оформить",
  "Examples": "Примеры",
  "Verify": "Доказать",
  "Stop": "Стоп",
  "Compare with the base": "Сравнить с исходной",
  "Play it": "Сыграть",
  "Download": "Скачать",
  "No errors.": "Ошибок нет.",
  "checking …": "проверяю …",
  "Step through the game": "Просмотреть партию",
  "Open as a table": "Открыть как стол",
  "Everything is proved.": "Всё доказано.",
  "Not everything is proved.": "Доказано не всё.",
  "A game has at most": "В партии не больше",
  "decisions": "решений",
  "stopped": "остановлено",
  "waiting for room …": "жду очереди …",
  "holds": "верно",
  "does not hold": "неверно",
  "No examples here.": "Примеров нет.",
  "The whole report": "Весь отчёт",
  "What is proved": "Что доказано",
  "rest on what is not proved": "опираются на недоказанное",
  "else": "иначе",
  "The rulebook, heading by heading": "Книга правил по разделам",
  "Every declaration": "Все объявления",
  "Run": "Запустить",
  "Compare with": "Сравнить с",
  "nothing": "ничем",
  "Share of wins": "Доля побед",
  "Mean score": "Средний счёт",
  "Scores": "Счёт",
  "Length of a game": "Длина партии",
  "games": "партий",
  "Policy": "Стратегия",
  "Game": "Игра",
  "as it stands in the rules": "как записано в правилах",
  "provisional": "предварительно",
  "Your rule files": "Ваши файлы правил",
};

export const lang = () => localStorage.getItem("lang") || (navigator.language.startsWith("ru") ? "ru" : "en");

export const t = (text) => (lang() === "ru" && RUSSIAN[text]) || text;

// Words that stand in the page itself, and the switch between languages.
export function translate() {
  document.documentElement.lang = lang();
  for (const element of document.querySelectorAll("[data-t]")) {
    element.textContent = t(element.dataset.t);
  }
  const button = document.getElementById("lang");
  button.textContent = lang() === "ru" ? "English" : "Русский";
  button.addEventListener("click", () => {
    localStorage.setItem("lang", lang() === "ru" ? "en" : "ru");
    location.reload();
  });
}
