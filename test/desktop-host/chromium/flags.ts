import process from "node:process";

const disabledFeatures = [
  "AimEnabled",
  "BackForwardCache",
  "HttpsUpgrades",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "Translate",
];

/**
 * A Chromium that shows only what it is told to, asks nobody on the network for anything, and treats windows nobody looks
 * at like all others. Every name but loopback fails to resolve, so that not even a mistake reaches the network.
 */
export function quietFlags(env: NodeJS.ProcessEnv = process.env): string[] {
  return [
    ...(env.DESKTOP_HOST_HEADFUL === "1" ? [] : ["--headless=new"]),
    ...(env.DESKTOP_HOST_NET_LOG ? [`--log-net-log=${env.DESKTOP_HOST_NET_LOG}`] : []),
    // Chromium's own sandbox does not start for root. Nothing it would protect from gets in: there is no network.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--no-service-autorun",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--force-color-profile=srgb",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-gpu",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-quic",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    `--disable-features=${disabledFeatures.join(",")}`,
    "--enable-features=SkipListAccountsWithoutGaiaCookies",
    "--lang=en-US",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1",
  ];
}
