const { contextBridge, ipcRenderer } = require("electron");

contextBridge.exposeInMainWorld("fixture", {
  platform: process.platform,
  add: (a, b) => a + b,
  ask: (text, bytes) => ipcRenderer.invoke("worker:ask", text, bytes),
  fail: () => ipcRenderer.invoke("fail"),
  echo: (value) => ipcRenderer.invoke("echo", value),
  note: (text) => ipcRenderer.send("note", text),
  onEvent: (listener) => {
    const handler = (_event, value) => listener(value);
    ipcRenderer.on("worker:event", handler);
    return () => ipcRenderer.off("worker:event", handler);
  },
  later: (value) => Promise.resolve({ value, again: () => value }),
});
