import { t } from '../../language/messages.ts'

/** Each names itself after those before it, so the first that fits is the right one. */
const BROWSERS = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const nameIn = (names: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** What a person calls the browser that sent a `User-Agent`: `Firefox on Linux`; its first word for a program. */
export const browserName = (userAgent: string | null): string => {
  if (userAgent === null) return t('Unknown')
  const browser = nameIn(BROWSERS, userAgent) ?? userAgent.split(/[\s/]/, 1)[0]?.slice(0, 40)
  const system = nameIn(SYSTEMS, userAgent)
  return [browser || t('Unknown'), ...(system === undefined ? [] : [system])].join(' on ')
}
