/**
 * Every bound of the protocol in one place. Text limits are UTF-8 bytes, `Ms` values are milliseconds,
 * everything else is a count. A test walks each of them at n and n+1.
 */
export const LIMITS = {
  bodyBytes: 1024 * 1024,
  identifierLength: 128,
  idempotencyKeyBytes: 256,
  /** A remembered answer may be forgotten this long after it was given. */
  idempotencyLifetimeMs: 30 * 24 * 60 * 60 * 1000,

  displayNameBytes: 256,
  capabilities: 64,
  capabilityDescriptionBytes: 512,
  connectTo: 128,
  summaryBytes: 512,
  leaseMinMs: 30_000,
  leaseMaxMs: 86_400_000,
  leaseDefaultMs: 300_000,

  connectorsPerScope: 100,
  /** Agents of one connector at a time. */
  agentsPerConnector: 64,
  sessionBytes: 512,

  messageBodyBytes: 65_536,
  contextItems: 32,
  contextTitleBytes: 512,
  contextTextBytes: 65_536,
  contextUriBytes: 4096,
  contextTotalBytes: 262_144,
  messageExpiryMaxMs: 2_592_000_000,
  activeMessagesPerScope: 10_000,
  unreadHumanMessagesPerScope: 1000,
  /** How long a notice of the daemon itself waits for its reader. */
  noticeLifetimeMs: 7 * 24 * 60 * 60 * 1000,
  reservationMs: 30_000,
  /** How long a late commit is still told what became of its reservation. */
  endedReservationMs: 60 * 60 * 1000,
  reserveMessages: 100,
  reserveMessagesDefault: 50,
  acknowledgeMessages: 100,
  retryDelayMaxMs: 3_600_000,
  searchBytes: 256,
  /** Messages one page of a search looks at. */
  searchedMessages: 500,
  reasonBytes: 4000,
  waitMaxMs: 25_000,
  inboxWaitersPerAgent: 32,
  waitersPerScope: 128,
  /** Calls of one credential, and of all credentials of a scope, that wait at once: half is left to its agents. */
  waitersPerCredential: 32,
  credentialWaitersPerScope: 64,

  taskTitleBytes: 256,
  taskDescriptionBytes: 16_384,
  taskDependencies: 128,
  taskRequirements: 16,
  taskNoteBytes: 16_384,
  unfinishedTasksPerScope: 5000,
  taskListMax: 10_000,
  progressTextBytes: 4000,
  progressEntriesPerTask: 1000,
  progressBytesPerTask: 1024 * 1024,
  recentProgress: 20,

  questionBytes: 4000,
  escalationOptionsMin: 2,
  escalationOptionsMax: 4,
  escalationOptionBytes: 256,
  answerBytes: 16_384,
  escalationExpiryMinMs: 1000,
  escalationExpiryMaxMs: 2_592_000_000,
  /** How long the human may put a question off. */
  escalationDeferMaxMs: 7 * 24 * 60 * 60 * 1000,
  /** How long after it was given an answer nobody has read may be taken back. */
  answerWithdrawMs: 10_000,
  /** Questions one page of a search of the history looks at. */
  searchedEscalations: 500,
  pendingEscalationsPerAgent: 100,
  pendingEscalationsPerScope: 1000,

  pendingLinkRequestsPerAgent: 100,

  outputStreamsPerScope: 1000,
  outputPublishers: 128,
  outputRetentionMax: 10_000,
  outputRetentionDefault: 1000,
  outputTextBytes: 65_536,
  outputJsonBytes: 262_144,
  outputReferenceUriBytes: 4096,
  outputReferenceTitleBytes: 512,
  outputPage: 100,
  outputPageDefault: 50,
  /** Values one publisher may publish in a minute. */
  outputPublishesPerMinute: 120,
  /** Calls one holder of a reading credential may make in a minute. */
  outputReadsPerMinute: 600,

  credentialLabelBytes: 256,
  scopedCredentialsPerScope: 1000,
  /** Unfinished messages, and bytes of them, one A2A principal may have; the daemon's settings may say otherwise. */
  a2aMessagesPerPrincipal: 1000,
  a2aBytesPerPrincipal: 16 * 1024 * 1024,
  /** Active messages, and bytes of them, all A2A principals of a scope may have together: half is left to its agents. */
  a2aMessagesPerScope: 5000,
  a2aBytesPerScope: 64 * 1024 * 1024,

  /** Largest archive of a scope, encoded. */
  archiveBytes: 1024 * 1024 * 1024,

  eventBatch: 100,
  eventBatchDefault: 50,
  /** Events one page that is read newest first looks at. */
  searchedEvents: 1000,
  pageMax: 500,
  pageDefault: 100,
  messagePageMax: 100,
  messagePageDefault: 50,
} as const;
