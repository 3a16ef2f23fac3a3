"use strict";
// Draws what mcpls sends, as text only, and sends back what a person says.
// Nothing is kept outside of this page's memory.

const byId = (id) => document.getElementById(id);

let secret = ""; // of this page; gone when the page is
let shown = null; // the card that is drawn
let deciding = false; // a decision is on its way: no second one is sent
let over = false; // nothing more can be decided here

// The link works once, so it does not stay in the address or the history.
const token = location.hash.slice(1);
history.replaceState(null, "", "/");

// ask sends one request after the other, and gives the answer; null when there is
// none to go on with. What is asked about a card is not sent when another one is
// drawn by then.
let last = Promise.resolve();

function ask(path, body = {}, card = null) {
  last = last.then(() => (over || card !== shown ? null : exchange(path, card ? { ...body, card: card.number } : body)));
  return last;
}

async function exchange(path, body) {
  try {
    const response = await send(path, body);
    const answer = await response.json();
    if (response.ok) return answer;
    stop("Nothing more can be decided here", answer.refusal);
  } catch {
    stop("mcpls does not answer any more", "It has ended, or the link has expired. To go on, run mcpls trust review again.");
  }
  return null;
}

function send(path, body, keepalive = false) {
  return fetch("/api/" + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: "Bearer " + (secret || token) },
    body: JSON.stringify(body),
    credentials: "omit",
    redirect: "error",
    keepalive,
  });
}

function make(name, className, ...content) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...content); // a string becomes a text node
  return element;
}

// show goes on with an answer.
function show(answer) {
  if (!answer) return;
  notify(answer.notice);
  if (answer.ended) finish(answer.done ?? []);
  else if (answer.card) draw(answer.card);
  else if (answer.code) reveal(answer.code);
  else retry();
}

function notify(text = "") {
  byId("notice").textContent = text;
}

function draw(card) {
  shown = card;
  byId("message").hidden = true;
  byId("card").hidden = byId("leave-top").hidden = false;
  byId("count").textContent = card.waiting === 1 ? "one server waits" : card.waiting + " servers wait";
  byId("badge").textContent = card.badge;
  byId("card").className = card.changed ? "changed" : "";
  byId("subject").textContent = card.title;
  byId("scope").textContent = card.scope;
  const parts = card.sections.map((section, i) => part(section, card.changed && i === 0));
  parts.push(part({ label: "Fingerprint", lines: [{ text: card.fingerprint }] }));
  byId("parts").replaceChildren(...parts);
  byId("code").textContent = "";
  byId("typed").value = "";
  byId("typed").disabled = true;
  check();
  scrollTo(0, 0);
  byId("title").focus({ preventScroll: true });
  watchEnd();
}

function part(section, first) {
  const lines = section.lines.map((line) => {
    const facts = (line.facts ?? []).map((text) => make("p", "fact", text));
    const marks = (line.marks ?? []).map((text) => make("p", "mark", text));
    const none = line.text === "(none)" ? "none" : "";
    return make("dd", marks.length ? "marked" : "", make("code", none, line.text), ...facts, ...marks);
  });
  return make("div", first ? "difference" : "", make("dt", "", section.label), ...lines);
}

// The code comes when the end of the card was on screen, and not before.
let observer = null;

function watchEnd() {
  observer?.disconnect();
  const card = shown;
  observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting) || shown !== card) return;
    observer.disconnect();
    ask("seen", {}, card).then(show);
  });
  observer.observe(byId("end"));
}

function reveal(code) {
  byId("code").textContent = code;
  byId("typed").disabled = false;
  // Who is on another button already stays there.
  if ([document.body, byId("title")].includes(document.activeElement)) byId("typed").focus({ preventScroll: true });
}

const typed = () => byId("typed").value.trim().toLowerCase();

function check() {
  byId("allow").disabled = !shown || byId("typed").disabled || typed().length !== shown.code_length;
}

function retry() {
  byId("typed").focus({ preventScroll: true });
  byId("typed").select();
}

async function decide(verdict, code = "") {
  if (!shown || deciding) return;
  deciding = true;
  show(await ask("decide", { verdict, code }, shown));
  deciding = false;
}

function finish(done) {
  say(done.length ? "Done" : "Nothing waits", "");
  byId("done").replaceChildren(...done.map(({ server, what }) => make("div", "", make("dt", "", what), make("dd", "", make("code", "", server)))));
}

function stop(title, text) {
  notify();
  say(title, text);
  byId("done").replaceChildren();
}

// say closes the page with a message. The secret is of no use any more.
function say(title, text) {
  secret = "";
  shown = null;
  over = true;
  observer?.disconnect();
  byId("card").hidden = byId("leave-top").hidden = true;
  byId("message").hidden = byId("message-end").hidden = false;
  byId("count").textContent = "";
  byId("message-title").textContent = title;
  byId("message-text").textContent = text;
  byId("message-title").focus();
}

byId("typed").addEventListener("input", () => {
  notify();
  check();
});
byId("decision").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!byId("allow").disabled) decide("allow", typed());
});
// Enter does not submit while the button is disabled: it is told why.
byId("typed").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && byId("allow").disabled) {
    event.preventDefault();
    notify("Nothing was allowed: type the whole code first.");
  }
});
byId("deny").addEventListener("click", () => decide("deny"));
for (const id of ["leave", "leave-top"]) byId(id).addEventListener("click", () => decide("leave"));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.isComposing) decide("leave");
});
// A page that is closed or loaded again has lost its secret: mcpls need not wait.
addEventListener("pagehide", () => {
  if (secret) send("close", {}, true).catch(() => {});
});

async function begin() {
  if (!token) {
    stop("This page needs its link", "A link works once, and not after the page was loaded again. Run mcpls trust review again.");
    return;
  }
  const answer = await ask("begin");
  if (!answer) return;
  secret = answer.secret;
  const until = new Date(Date.now() + answer.seconds * 1000);
  byId("expiry").textContent = "This page works until " + until.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false }) + ".";
  setTimeout(() => {
    if (secret) stop("This page has expired", "Nothing more was decided: what is undecided stays blocked. To go on, run mcpls trust review again.");
  }, answer.seconds * 1000);
  show(answer);
}

begin();
