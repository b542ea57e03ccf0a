/** An address that a link may lead to; null for one that is none of the web, such as a script. */
export const webAddress = (given: string): URL | null => {
  if (!URL.canParse(given)) return null
  const address = new URL(given)
  return address.protocol === 'https:' || address.protocol === 'http:' ? address : null
}
