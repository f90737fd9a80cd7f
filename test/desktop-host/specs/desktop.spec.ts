import { expect, seen, test } from "./fixture.ts";

test("the tray icon is seen as it is, clicked and chosen from", async ({ desktop }) => {
  const state = await desktop.app.evaluate(() => desktopHost.tray.state());
  expect(state).toMatchObject({ toolTip: "Fixture", image: { width: 16, height: 16, isTemplate: false } });
  expect(state.menu?.map(({ label, type }) => `${type} ${label}`)).toEqual([
    "normal Open",
    "submenu More",
    "checkbox Quiet",
    "normal Never",
    "separator ",
    "normal Quit",
  ]);
  await desktop.app.evaluate(() => {
    desktopHost.tray.click();
    desktopHost.tray.choose("More", "Nested");
    desktopHost.tray.choose("quiet");
    desktopHost.tray.choose("quiet");
  });
  expect(await seen(desktop)).toEqual(expect.arrayContaining(["tray click", "nested", "quiet true", "quiet false"]));
  await expect(desktop.app.evaluate(() => desktopHost.tray.choose("never"))).rejects.toThrow("cannot be chosen");
});

test("radio items of one group exclude each other", async ({ desktop }) => {
  const checked = await desktop.app.evaluate(({ Menu }) => {
    const menu = Menu.buildFromTemplate([
      { id: "a", label: "a", type: "radio" },
      { id: "b", label: "b", type: "radio" },
      { type: "separator" },
      { id: "c", label: "c", type: "radio" },
    ]);
    const state = () => menu.items.filter(({ checked: is }) => is).map(({ id }) => id);
    const before = state();
    menu.getMenuItemById("b")?.click();
    return [before, state()];
  });
  expect(checked).toEqual([
    ["a", "c"],
    ["b", "c"],
  ]);
});

test("notifications carry their options, and the person's answers come back", async ({ desktop }) => {
  const heard = await desktop.app.evaluate(({ Notification }) => {
    const log: unknown[] = [];
    const make = () => {
      const notification = new Notification({
        title: "Question",
        body: "Yes?",
        hasReply: true,
        replyPlaceholder: "Answer",
        urgency: "critical",
        timeoutType: "never",
        silent: true,
        actions: [{ type: "button", text: "No" }],
      });
      notification.on("show", () => log.push("show"));
      notification.on("click", () => log.push("click"));
      notification.on("reply", (event, text) => log.push(["reply", event.reply, text]));
      notification.on("action", (event) => log.push(["action", event.actionIndex]));
      notification.on("close", (event) => log.push(["close", event.reason]));
      notification.on("failed", (_event, error) => log.push(["failed", error]));
      return notification;
    };
    make().show();
    const hand = desktopHost.notifications;
    hand.click();
    hand.reply("because");
    hand.action(0);
    hand.dismiss();
    hand.failWith("unsigned");
    make().show();
    return { log, all: hand.all(), shows: desktopHost.recordings.of("Notification", "show").length };
  });
  expect(heard.log).toEqual([
    "show",
    "click",
    ["reply", "because", "because"],
    ["action", 0],
    ["close", "userCanceled"],
    ["failed", "unsigned"],
  ]);
  expect(heard.shows).toBe(2);
  expect(heard.all).toEqual([
    {
      title: "Question",
      body: "Yes?",
      isShown: false,
      options: expect.objectContaining({
        urgency: "critical",
        actions: [{ type: "button", text: "No" }],
        silent: true,
      }),
    },
  ]);
});

test("dialogs give the answers a spec has queued, and are dismissed otherwise", async ({ desktop }) => {
  const answers = await desktop.app.evaluate(async ({ dialog }) => {
    desktopHost.dialogs.answer("showMessageBox", { response: 1 });
    desktopHost.dialogs.answer("showOpenDialog", { canceled: false, filePaths: ["/a"] });
    return [
      await dialog.showMessageBox({ message: "Sure?", buttons: ["No", "Yes"] }),
      await dialog.showMessageBox({ message: "Really?" }),
      await dialog.showOpenDialog({}),
      desktopHost.recordings.of("dialog", "showMessageBox"),
    ];
  });
  expect(answers).toEqual([
    { response: 1, checkboxChecked: false },
    { response: 0, checkboxChecked: false },
    { canceled: false, filePaths: ["/a"] },
    [[{ message: "Sure?", buttons: ["No", "Yes"] }], [{ message: "Really?" }]],
  ]);
});

test("shell, clipboard, login item, badge and links are recorded, not done", async ({ desktop }) => {
  const facts = await desktop.app.evaluate(async ({ app, clipboard, shell }) => {
    await shell.openExternal("https://example.com/");
    const opened = await shell.openPath("/tmp");
    shell.showItemInFolder("/tmp/a");
    clipboard.writeText("copied");
    app.setLoginItemSettings({ openAtLogin: true, args: ["--hidden"] });
    app.setBadgeCount(3);
    app.setAsDefaultProtocolClient("agent-intercom");
    const handled = desktopHost.openUrl("agent-intercom://escalation/1");
    const { recordings } = desktopHost;
    return {
      opened,
      handled,
      external: recordings.of("shell", "openExternal"),
      folder: recordings.of("shell", "showItemInFolder"),
      clipboard: clipboard.readText(),
      login: app.getLoginItemSettings().openAtLogin,
      badge: app.getBadgeCount(),
      client: app.isDefaultProtocolClient("agent-intercom"),
    };
  });
  expect(facts).toEqual({
    opened: "",
    handled: true,
    external: [["https://example.com/", undefined]],
    folder: [["/tmp/a"]],
    clipboard: "copied",
    login: true,
    badge: 3,
    client: true,
  });
  expect(await seen(desktop)).toContain("url agent-intercom://escalation/1");
});

test("global shortcuts are pressed by specs, and may belong to another program", async ({ desktop }) => {
  const facts = await desktop.app.evaluate(({ globalShortcut }) => {
    let count = 0;
    desktopHost.shortcuts.take("Alt+1");
    const registered = ["Alt+1", "Alt+2"].map((each) => globalShortcut.register(each, () => count++));
    desktopHost.shortcuts.press("Alt+2");
    globalShortcut.unregisterAll();
    return { registered, count, is: globalShortcut.isRegistered("Alt+2") };
  });
  expect(facts).toEqual({ registered: [false, true], count: 1, is: false });
});

test("power, network and keychain change under the hand of a spec", async ({ desktop }) => {
  const facts = await desktop.app.evaluate(({ net, powerMonitor, safeStorage }) => {
    const log: string[] = [];
    for (const name of ["suspend", "resume", "lock-screen", "unlock-screen"]) {
      powerMonitor.on(name as "suspend", () => log.push(name));
      powerMonitor.emit(name);
    }
    const secret = safeStorage.encryptString("secret");
    const before = [net.isOnline(), safeStorage.isEncryptionAvailable()];
    desktopHost.net.setOnline(false);
    desktopHost.keychain.setAvailable(false);
    const after = [net.isOnline(), safeStorage.isEncryptionAvailable()];
    const isHidden = !secret.toString("latin1").includes("secret");
    return { log, before, after, isHidden, text: safeStorage.decryptString(secret) };
  });
  expect(facts).toEqual({
    log: ["suspend", "resume", "lock-screen", "unlock-screen"],
    before: [true, true],
    after: [false, false],
    isHidden: true,
    text: "secret",
  });
});

test("pictures know their size from the file, and what is no picture is empty", async ({ desktop }) => {
  const facts = await desktop.app.evaluate(({ nativeImage }) => {
    const [image] = [globalThis.fixture.tray].map(() =>
      nativeImage.createFromDataURL(desktopHost.tray.state().image.png),
    );
    image?.addRepresentation({ scaleFactor: 2, buffer: image.toPNG() });
    image?.setTemplateImage(true);
    return {
      sizes: [image?.getSize(), image?.getSize(2)],
      scales: image?.getScaleFactors(),
      template: image?.isTemplateImage(),
      empty: [
        nativeImage.createEmpty(),
        nativeImage.createFromPath("/nowhere.png"),
        nativeImage.createFromBuffer(Buffer.from("no picture")),
      ].map((each) => each.isEmpty()),
    };
  });
  expect(facts).toEqual({
    sizes: [
      { width: 16, height: 16 },
      { width: 8, height: 8 },
    ],
    scales: [1, 2],
    template: true,
    empty: [true, true, true],
  });
});

test("the app's theme is that of its pages, and so is the system's when the app follows it", async ({
  desktop,
  page,
}) => {
  const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  const isDark = () => desktop.app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors);
  await expect.poll(background).toBe("rgb(255, 255, 255)");
  await desktop.app.evaluate(({ nativeTheme }) => {
    nativeTheme.on("updated", () => globalThis.fixture.seen.push("theme"));
    nativeTheme.themeSource = "dark";
  });
  await expect.poll(background).toBe("rgb(0, 0, 0)");
  expect(await isDark()).toBe(true);
  await page.reload();
  await expect.poll(background).toBe("rgb(0, 0, 0)");
  await desktop.app.evaluate(({ nativeTheme }) => {
    nativeTheme.themeSource = "system";
  });
  await expect.poll(background).toBe("rgb(255, 255, 255)");
  await desktop.app.evaluate(() => desktopHost.theme.setSystemScheme("dark"));
  await expect.poll(background).toBe("rgb(0, 0, 0)");
  expect((await seen(desktop)).filter((each) => each === "theme")).toHaveLength(3);
});
