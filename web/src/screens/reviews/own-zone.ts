/** The zone whose days the reader counts. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
