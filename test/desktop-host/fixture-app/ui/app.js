const { fixture } = window;
const show = (id, value) => {
  document.getElementById(id).textContent = typeof value === "string" ? value : JSON.stringify(value);
};

show("start", {
  bridge: typeof fixture,
  sum: fixture.add(2, 3),
  require: typeof window.require,
  process: typeof window.process,
  frozen: Object.isFrozen(fixture),
});
fixture.onEvent((value) => show("event", value));

document.getElementById("ask").addEventListener("click", async () => {
  show("reply", await fixture.ask("hello", new Uint8Array([1, 2, 3])));
});
document.getElementById("fail").addEventListener("click", () => {
  fixture.fail().catch((error) => show("reply", String(error)));
});

// What the page's own code may do under the policy of the app; `evaluate` would run outside of it.
window.tries = {
  connect: (url) =>
    fetch(url).then(
      (response) => response.status,
      () => "blocked",
    ),
  evaluate: () => {
    try {
      return Reflect.construct(Function, ["return 2"])();
    } catch (error) {
      return error.name;
    }
  },
};
