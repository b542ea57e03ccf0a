/** What must show as the text that it is. */
export const HOSTILE = '<img src=x onerror=alert(1)> **Group**'
