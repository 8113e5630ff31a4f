// Starts `rules lsp` for rule files, and shows in a terminal what the server offers to show.
const fs = require("fs");
const os = require("os");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function command() {
  return vscode.workspace.getConfiguration("rules").get("command");
}

async function start() {
  const [program, ...args] = command();
  client = new LanguageClient(
    "rules",
    "Rules",
    { command: program, args },
    { documentSelector: [{ scheme: "file", language: "rules" }] }
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `\`${command().join(" ")}\` did not start (${error.message}). Install it with ` +
        "`pip install rules-dsl[editor]`, or set `rules.command`."
    );
  }
}

// The command beside `rules lsp`: the same program with other arguments.
function terminal(name, args) {
  const [program, ...rest] = command();
  const before = rest.slice(0, rest.lastIndexOf("lsp"));
  const opened = vscode.window.createTerminal({
    name,
    shellPath: program,
    shellArgs: [...before, ...args],
  });
  opened.show();
}

async function showGame(record) {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rules-"));
  const file = path.join(folder, "game.json");
  fs.writeFileSync(file, record);
  terminal("Game", ["play", editor.document.fileName, "--from", file, "--bots", "none"]);
}

function verify() {
  const editor = vscode.window.activeTextEditor;
  if (editor) terminal("Verify", ["verify", editor.document.fileName]);
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("rules.showGame", showGame),
    vscode.commands.registerCommand("rules.verify", verify),
    vscode.commands.registerCommand("rules.restart", async () => {
      if (client) await client.stop();
      await start();
    })
  );
  await start();
}

async function deactivate() {
  if (client) await client.stop();
}

module.exports = { activate, deactivate };
