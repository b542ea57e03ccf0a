const MAX_TITLE_LENGTH = 200

/**
 * The text under its title, as classifiers read it. Trackers and help desks may send a title as `title` or `subject` of
 * the metadata; a mail's text begins with its subject already.
 */
export const titled = (
  text: string,
  { title, subject }: { readonly title?: unknown; readonly subject?: unknown },
): string => {
  const found = [title, subject].find(one => typeof one === 'string' && one.trim() !== '')
  if (typeof found !== 'string') return text
  const heading = found.trim().slice(0, MAX_TITLE_LENGTH)
  return text.startsWith(heading) ? text : `${heading}\n\n${text}`
}
