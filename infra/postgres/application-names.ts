/** What connections call themselves: the embedded engine, and whoever watches a server, tell by it who waits for an answer. */
export const APPLICATION_NAMES = { foreground: 'assay', background: 'assay background' } as const
