/** The noun for so many of a thing: the singular for one, else the plural, which ends with an s unless it is given. */
export const plural = (count: number, singular: string, several = `${singular}s`): string =>
  count === 1 ? singular : several

/** So many of a thing, with the noun for that: `1 claim`, `2 claims`. */
export const counted = (count: number, singular: string, several?: string): string =>
  `${count} ${plural(count, singular, several)}`

/** How an agent is told where to go on: a tool with its mode, and what it is given. */
const CALL = String.raw`service_[a-z]+(?: modes? [a-z_]+)?(?:, (?:action|id|with|depth|types?|[a-z]+_id) [^\s,.;]+)*(?: or [a-z_]+(?=[.;]))?`
const BY_CALL = new RegExp(`,? (?:with|by|under|in|as) ${CALL}`, 'g')
/** What only agents can do something about: tools, operations by their names, and how a call is made. */
const OF_AGENTS = new RegExp(
  [
    /service_[a-z]/,
    /\b(?:list|read|create|start|check|cancel|rotate|replace|move)_[a-z]/,
    /\baction undo\b/,
    /\bdepth (?:full|summary|standard)\b/,
    /\bmeta\./,
    /\bnext_cursor\b/,
    /idempotency-key/,
    /^(?:or )?(?:send|give) .*_/,
    /\bcall again\b/,
    /\bmode search\b/,
    /^action [a-z]+ (?:takes|needs|removes?) /,
    /^it takes the name or the address\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)
const NAME_OF_FIELD = /\b[a-z]+(?:_[a-z]+)+\b/g

/** Parts that stand between quotes are others’ words, and stay as they are. */
const outsideOfQuotes = (text: string, change: (part: string) => string): string =>
  text
    .split(/("[^"]*"|“[^“”]*”)/)
    .map((part, place) => (place % 2 === 0 ? change(part) : part))
    .join('')
const isOfAgents = (clause: string): boolean => OF_AGENTS.test(clause.replaceAll(/"[^"]*"|“[^“”]*”/g, ''))

/** A sentence without its clauses for agents; empty when it has no others. */
const sentenceForPeople = (sentence: string): string => {
  const clauses = outsideOfQuotes(sentence, part => part.replaceAll(BY_CALL, '')).split(/(?<=[;:]) /)
  const kept = clauses.filter((clause, place) => {
    const before = clauses[place - 1] ?? ''
    // What goes on from a clause for agents goes with it.
    const goesOn = isOfAgents(before) && (before.endsWith(':') || clause.startsWith('or '))
    return !isOfAgents(clause) && !goesOn
  })
  const said = kept.join(' ').replace(/[;:]$/, '.')
  return kept[0] === clauses[0] ? said : said.charAt(0).toUpperCase() + said.slice(1)
}

/**
 * What the service says, without what it tells agents: where else to look by which tool, and how to call it. Names of
 * fields become words. For messages of the service’s own, never for what senders wrote.
 */
export const forPeople = (message: string): string => {
  const said = message
    .split(/(?<=[.!?]) (?=\S)/)
    .map(sentenceForPeople)
    .filter(sentence => sentence !== '')
    .join(' ')
  return said === ''
    ? 'That cannot be done.'
    : outsideOfQuotes(said, part => part.replaceAll(NAME_OF_FIELD, name => name.replaceAll('_', ' ')))
}
