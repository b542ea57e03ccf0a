/** The noun for a number of things: singular for 1, else the plural, by default with an s. */
export const plural = (count: number, singular: string, several = `${singular}s`): string =>
  count === 1 ? singular : several

/** A number with its noun: `1 claim`, `2 claims`. */
export const counted = (count: number, singular: string, several?: string): string =>
  `${count} ${plural(count, singular, several)}`

/** A tool with its mode and arguments, as in sentences for agents. */
const CALL = String.raw`service_[a-z]+(?: modes? [a-z_]+)?(?:, (?:action|id|with|depth|types?|[a-z]+_id) [^\s,.;]+)*(?: or [a-z_]+(?=[.;]))?`
const BY_CALL = new RegExp(`,? (?:with|by|under|in|as) ${CALL}`, 'g')
/** Words of clauses that only agents can follow: tools, operations by name, forms of a call. */
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
/** The part of a sentence with version numbers; people see the newer content instead. */
const VERSIONS = /: you read version [^\s,]+, it is at [^\s,.]+(?=\.)/g
const NAME_OF_FIELD = /\b[a-z]+(?:_[a-z]+)+\b/g

/** Quoted parts are others' words, and stay unchanged. */
const outsideOfQuotes = (text: string, change: (part: string) => string): string =>
  text
    .split(/("[^"]*"|“[^“”]*”)/)
    .map((part, place) => (place % 2 === 0 ? change(part) : part))
    .join('')
const isOfAgents = (clause: string): boolean => OF_AGENTS.test(clause.replaceAll(/"[^"]*"|“[^“”]*”/g, ''))

/** A sentence without its clauses for agents; empty when nothing else is left. */
const sentenceForPeople = (sentence: string): string => {
  const clauses = outsideOfQuotes(sentence, part => part.replaceAll(BY_CALL, '')).split(/(?<=[;:]) /)
  const kept = clauses.filter((clause, place) => {
    const before = clauses[place - 1] ?? ''
    // A clause that continues a clause for agents is dropped with it.
    const goesOn = isOfAgents(before) && (before.endsWith(':') || clause.startsWith('or '))
    return !isOfAgents(clause) && !goesOn
  })
  const said = kept.join(' ').replace(/[;:]$/, '.')
  return kept[0] === clauses[0] ? said : said.charAt(0).toUpperCase() + said.slice(1)
}

/**
 * A message of the service for people, without what it tells agents: which tool to call, and how. Field names become
 * words. Not for texts that senders wrote.
 */
export const forPeople = (message: string): string => {
  const said = message
    .replaceAll(VERSIONS, ' meanwhile')
    .split(/(?<=[.!?]) (?=\S)/)
    .map(sentenceForPeople)
    .filter(sentence => sentence !== '')
    .join(' ')
  return said === ''
    ? 'That cannot be done.'
    : outsideOfQuotes(said, part => part.replaceAll(NAME_OF_FIELD, name => name.replaceAll('_', ' ')))
}
