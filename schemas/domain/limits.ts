/** How much the fields of the product take. The service refuses more, and the app's fields end there. */

/** In characters. */
export const MAX_CHARACTERS = {
  /** Of a person, workspace, source, key, node, group, or the label of an invitation or a metric. */
  name: 120,
  /** Of a Solution, an element, a claim or a review. */
  title: 300,
  /** A UUID, a reference or an exact name. */
  identifier: 300,
  /** What a search looks for. */
  query: 300,
  /** What a sender says of a signal beside its text: its source, actor or event. */
  signalField: 300,
  /** Of an e-mail address, as RFC 5321 has it. */
  email: 254,
  url: 2000,
  /** What a person decided and why. */
  comment: 4000,
  dismissal: 1000,
  discard: 3500,
  pause: 500,
  /** Of what a workspace knows. */
  knowledge: 2000,
  /** Of a comment on a signal, a claim or a Solution. */
  discussion: 4000,
  solutionSummary: 20_000,
  elementSummary: 6000,
  expectation: 1500,
  observation: 3000,
  document: 100_000,
  nodeDescription: 4000,
  nodeExample: 2000,
} as const

/** So much of what a signal says is shown until somebody asks for all of it, and is in the app’s lists of them. */
export const SHOWN_CHARACTERS = 600
/** From so many lessons on, a workspace's classifier learns. */
export const MIN_LESSONS = 20
/** By which a person multiplies the evidence priority of a Solution. */
export const BOOST = { min: 0.1, max: 10 } as const
export const MAX_NODE_EXAMPLES = 20
/** Items on a page of a list. */
export const MAX_LIMIT = 100
/** Claims or Solutions that one call names. */
export const MAX_REFERENCES = 50
/** Proposals that one decision is about. */
export const MAX_PROPOSALS = 100
/** Signals that one decision is about. */
export const MAX_TRIAGED = 200
/** Signals or repeats that a snooze waits for. */
export const MAX_SNOOZED_UNTIL = 10_000
export const MAX_REPLAYED_PER_SECOND = 1000
/** Of a question about activity. */
export const MAX_FILTERS = 20
export const MAX_FILTER_VALUES = 100
/** Of all values of all filters together. ClickHouse takes a parameter of 128 KiB, in which a quote is four bytes. */
export const MAX_FILTER_CHARACTERS = 20_000
export const MAX_GROUP_BY = 4

export const MIN_PASSWORD_CHARACTERS = 8
export const MAX_PASSWORD_CHARACTERS = 128
