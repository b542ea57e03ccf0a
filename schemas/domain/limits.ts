/** Limits of the product's fields. The service refuses more, and the app's fields end there. */

/** In characters. */
export const MAX_CHARACTERS = {
  /** Name of a person, workspace, source, key, node or group; label of an invitation or a metric. */
  name: 120,
  /** Title of a Solution, an element, a claim or a review. */
  title: 300,
  /** A UUID, a reference or an exact name. */
  identifier: 300,
  /** Text of a search. */
  query: 300,
  /** A signal's source, actor or event, as the sender gives it. */
  signalField: 300,
  /** An e-mail address (RFC 5321). */
  email: 254,
  url: 2000,
  /** A decision with its reason. */
  comment: 4000,
  dismissal: 1000,
  discard: 3500,
  pause: 500,
  /** A workspace's knowledge. */
  knowledge: 2000,
  /** A comment on a signal, a claim or a Solution. */
  discussion: 4000,
  solutionSummary: 20_000,
  elementSummary: 6000,
  expectation: 1500,
  observation: 3000,
  document: 100_000,
  nodeDescription: 4000,
  nodeExample: 2000,
} as const

/** Characters of a signal that are shown until somebody asks for all, and in the app's lists. */
export const SHOWN_CHARACTERS = 600
/** Number of lessons from which a workspace's classifier learns. */
export const MIN_LESSONS = 20
/** The factor by which a person changes a Solution's evidence priority. */
export const BOOST = { min: 0.1, max: 10 } as const
export const MAX_NODE_EXAMPLES = 20
/** Items on a page of a list. */
export const MAX_LIMIT = 100
/** Claims or Solutions in one call. */
export const MAX_REFERENCES = 50
/** Claims that go into another one in one call. */
export const MAX_MERGED = 100
/** Proposals in one decision. */
export const MAX_PROPOSALS = 100
/** Signals in one decision. */
export const MAX_TRIAGED = 200
/** Signals or repeats that a snooze waits for. */
export const MAX_SNOOZED_UNTIL = 10_000
export const MAX_REPLAYED_PER_SECOND = 1000
/** Filters in a question about activity. */
export const MAX_FILTERS = 20
export const MAX_FILTER_VALUES = 100
/**
 * Characters in all values of all filters: ClickHouse accepts a parameter of 128 KiB, in which a quote takes four
 * bytes.
 */
export const MAX_FILTER_CHARACTERS = 20_000
export const MAX_GROUP_BY = 4

export const MIN_PASSWORD_CHARACTERS = 8
export const MAX_PASSWORD_CHARACTERS = 128
