/** How agents of one's own come here. */
export const connect = {
  "connect.intro":
    "An agent joins when its program knows Agent Intercom as an MCP server. Add it to a program you use; the entry can be taken back at any time.",
  "connect.failed": "The programs could not be looked for",
  "connect.found": "On this computer",
  "connect.others": "Not found here",
  "connect.others.note": "You can add the entry all the same; it waits for the program.",
  "connect.state.absent": "Not connected",
  "connect.state.connected": "Connected",
  "connect.state.differs": "Has another entry",
  "connect.state.unreadable": "Configuration unreadable",
  "connect.state.differs.text":
    "The configuration has an entry of our name that is not what we would write. Adding replaces it; a copy of the file is kept.",
  "connect.state.unreadable.text":
    "The file cannot be parsed, so it is left alone. Repair it, or paste the entry by hand.",
  "connect.verified": "Tried out with a real session",
  "connect.add": "Add",
  "connect.add.label": "Add to {client}",
  "connect.replace": "Replace",
  "connect.replace.label": "Replace the entry in {client}",
  "connect.undo": "Undo",
  "connect.undo.label": "Undo in {client}",
  "connect.file": "Belongs in",
  "connect.manual": "Entry to paste by hand",
  "connect.next": "Now do this",
  "connect.notes": "Good to know",
  "connect.copy.label": "Copy: {what}",
  "connect.copied": "Copied",
  "connect.browser.why":
    "A page in a browser may not change files of your computer, so adding takes one command in a terminal there. The desktop app has buttons for it.",
  "connect.browser.add": "Add it to a program",
  "connect.browser.add.text":
    "Changes the program’s configuration and says what it did; with --undo it takes that back.",
  "connect.browser.list": "See which programs it knows",
  "connect.browser.list.text": "Lists the programs it can connect, and which are.",
  "connect.browser.mcp": "For any other MCP client",
  "connect.browser.mcp.text": "Start this command as a stdio server. Most clients take an entry like this:",
  "connect.demo": "Only want to look?",
  "connect.demo.text": "This starts two demo agents that talk, share a task and ask you something:",
} as const;
