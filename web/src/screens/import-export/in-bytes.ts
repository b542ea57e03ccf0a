import { counted, language } from '../../language/messages.ts'

const UNITS = ['KB', 'MB', 'GB']

/** A number of bytes as people say it: `3.4 MB`. */
export const inBytes = (bytes: number): string => {
  if (bytes < 1024) return counted(bytes, 'byte')
  const step = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10))
  const number = bytes / 1024 ** step
  return `${number.toLocaleString(language, { maximumFractionDigits: 1 })} ${UNITS[step - 1]}`
}
