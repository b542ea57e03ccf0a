export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
