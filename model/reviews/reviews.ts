import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Transaction } from '../../infra/postgres/port.ts'
import { counted } from '../../schemas/domain/for-people.ts'
import { newId, type ReviewId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { ownText } from '../../schemas/domain/strangers.ts'
import { gatherFigures, type ReviewPeriod } from './figures.ts'
import { periodLabel } from './period-label.ts'
import type { ReviewFigures } from './review-figures.ts'

/** A Product Review: a dated report with its figures. */
export interface ProductReview {
  readonly title: string
  readonly period_from: Date
  readonly period_to: Date
  readonly prepared_by: string
  readonly prepared_at: Date
  readonly text: string
  readonly figures: ReviewFigures
}

export interface SavedReview extends ProductReview {
  readonly id: ReviewId
}

/** Author and time of a review. */
interface ReviewMade {
  readonly title: string
  readonly by: string
  readonly at: Date
}

const COLUMNS = 'id, title, period_from, period_to, prepared_by, prepared_at, text, figures'

const INSERT = `
  insert into product_reviews (${COLUMNS}, workspace_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (id) do nothing`

const ONE = `select ${COLUMNS} from product_reviews where id = $1`
const COUNT = `select count(*)::integer as count from product_reviews`
const PAGE = `select ${COLUMNS} from product_reviews order by prepared_at desc, id desc limit $1 offset $2`

/** Makes a review from figures. */
export const reviewOf = (
  figures: ReviewFigures,
  period: ReviewPeriod,
  { title, by, at }: ReviewMade,
): ProductReview => ({
  title,
  period_from: period.from,
  period_to: period.to,
  prepared_by: by,
  prepared_at: at,
  text: writeReport(title, period, figures),
  figures: { ...figures, time_zone: period.timeZone },
})

/** Prepares a review of a period from present data. Stores nothing. */
export const composeReview = async (
  transaction: Transaction,
  period: ReviewPeriod,
  made: ReviewMade,
): Promise<ProductReview> => reviewOf(await gatherFigures(transaction, period), period, made)

/** Stores a review under a new id or the given one. A review that is stored already stays unchanged. */
export const storeReview = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  review: ProductReview,
  id = newId<ReviewId>(),
): Promise<SavedReview> => {
  await transaction.query(INSERT, [
    id,
    review.title,
    review.period_from,
    review.period_to,
    review.prepared_by,
    review.prepared_at,
    review.text,
    JSON.stringify(review.figures),
    workspaceId,
  ])
  return { ...review, id }
}

export const loadReview = async (transaction: Transaction, id: string): Promise<SavedReview | undefined> =>
  (await transaction.query<SavedReview>(ONE, [id]))[0]

const TITLES = `
  select id, title from product_reviews order by lower(title) = lower($1) desc, prepared_at desc limit 200`

/** Stored reviews by title: those with this title first, then newest first. */
export const reviewsTitled = (
  transaction: Transaction,
  title: string,
): Promise<readonly { readonly id: string; readonly title: string }[]> => transaction.query(TITLES, [title.trim()])

/** A page of the stored reviews, newest first. */
export const listReviews = async (
  transaction: Transaction,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly count: number; readonly reviews: readonly SavedReview[] }> => {
  const [counted] = await transaction.query<{ count: number }>(COUNT)
  return {
    count: counted?.count ?? 0,
    reviews: await transaction.query<SavedReview>(PAGE, [page.limit, page.offset]),
  }
}

/** Input of a job that prepares a Product Review. The review gets the job's id. */
const ReviewJobInput = Type.Object({
  title: ownText(),
  from: Type.Integer({ description: 'Milliseconds since the epoch.' }),
  to: Type.Integer({ description: 'Milliseconds since the epoch.' }),
  previous_from: Type.Optional(Type.Integer({ description: 'Absent in a job of a version before: as long before.' })),
  time_zone: Type.Optional(Type.String({ description: 'Absent in a job of a version before: UTC.' })),
  by: Type.String(),
  at: Type.Integer({ description: 'When somebody asked for it, in milliseconds since the epoch.' }),
})
export type ReviewJobInput = Static<typeof ReviewJobInput>

const compiled = Compile(ReviewJobInput)

export const isReviewJobInput = (input: unknown): input is ReviewJobInput => compiled.Check(input)

/** A stranger's text as one line of plain Markdown: it cannot start a heading, list, link, code or table. */
const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>()#+|!~-]/g, '\\$&')

const number = (value: number): string => String(Number(value.toPrecision(6)))

/** The line for entries that a list leaves out. */
const more = (count: number | undefined, { length }: readonly unknown[]): string[] =>
  count === undefined || count <= length ? [] : [`and ${count - length} more`]

const section = (heading: string, lines: readonly string[], none: string): string =>
  `## ${heading}\n\n${lines.length === 0 ? none : lines.map(line => `- ${line}`).join('\n')}\n`

type Claims = ReviewFigures['claims']['rising']

const claimLines = (claims: Claims): string[] =>
  claims.map(
    claim =>
      `${claim.reference} ${plain(claim.title)}: ${counted(claim.signals, 'signal or repeat', 'signals and repeats')} (before ${claim.previous_signals}) from ${counted(claim.actors, 'actor')} (before ${claim.previous_actors}), ${claim.state}${repeatLines(claim.repeats ?? [])}`,
  )

const repeatLines = (repeats: NonNullable<Claims[number]['repeats']>): string =>
  repeats
    .map(({ signal, actor_name, text, source_url }) => {
      const [who, said, where] = [actor_name ?? 'not named', text ?? '', source_url ?? ''].map(plain)
      return `\n  - ${who} repeated ${signal}${said === '' ? '' : `: ${said}`}${where === '' ? '' : ` (${where})`}`
    })
    .join('')

const changed = (figures: ReviewFigures): string[] => {
  const { signals, claims, solutions, decisions } = figures
  const kinds = signals.by_classification
    .filter(one => one.signals > 0)
    .map(one => `${one.signals} ${one.classification}`)
    .join(', ')
  return [
    `${counted(signals.count, 'Signal')} without repeats, ${signals.clock === 'occurred' ? 'by when they happened' : 'as they came in'} (before ${signals.previous_count})${kinds === '' ? '' : `: ${kinds}`}`,
    `${counted(claims.new_count, 'claim')} appeared (before ${claims.previous_new_count}), ${counted(claims.merged, 'merge')}, ${counted(claims.moved, 'change of state', 'changes of state')}`,
    `${counted(decisions, 'Decision')}, ${counted(solutions.changes, 'Solution')} created or moved`,
  ]
}

const metricLines = (metrics: ReviewFigures['metrics']): string[] =>
  metrics.map(metric => {
    const before = metric.previous_value === null ? 'no value before' : `before ${number(metric.previous_value)}`
    const change = metric.change === null ? '' : `, ${metric.change}`
    const target = metric.target === null ? '' : `, target ${number(metric.target)}`
    return `${plain(metric.name)} at ${plain(metric.node)}: ${number(metric.value)} (${before})${change}${target}`
  })

/** The report in Markdown, made from the figures alone. */
const writeReport = (title: string, period: ReviewPeriod, figures: ReviewFigures): string => {
  const { claims, solutions, outcomes, metrics } = figures
  const { from, previous_from, timeZone } = period
  const before = periodLabel({ from: previous_from, to: from }, timeZone)
  const states = solutions.by_state
    .filter(one => one.solutions > 0)
    .map(one => `${one.state} ${one.solutions}`)
    .join(', ')
  return [
    `# ${plain(title)}\n\n${periodLabel(period, timeZone)}, compared with ${before}.\n`,
    section('What changed', changed(figures), ''),
    section('Claims that rose', [...claimLines(claims.rising), ...more(claims.rising_count, claims.rising)], 'None.'),
    section(
      'Claims that fell',
      [...claimLines(claims.falling), ...more(claims.falling_count, claims.falling)],
      'None.',
    ),
    section(
      'Solutions',
      [
        `By state: ${states === '' ? 'none' : states}`,
        ...solutions.transitions.map(move =>
          move.from === null
            ? `${move.reference} ${plain(move.title)}: created`
            : `${move.reference} ${plain(move.title)}: ${move.from} to ${move.to}`,
        ),
        ...more(solutions.changes, solutions.transitions),
      ],
      '',
    ),
    section(
      'Solutions that are stuck',
      [
        ...solutions.stuck.map(
          one => `${one.reference} ${plain(one.title)}: ${counted(one.days_in_state, 'day')} in ${one.state}`,
        ),
        ...more(
          solutions.by_state.reduce((sum, { stuck }) => sum + stuck, 0),
          solutions.stuck,
        ),
      ],
      'None.',
    ),
    section(
      'Outcomes',
      [
        ...outcomes.items.map(one => `${one.reference} ${plain(one.title)}: ${one.verdict}. ${plain(one.observation)}`),
        ...more(outcomes.count, outcomes.items),
      ],
      'None recorded.',
    ),
    section(
      'Metrics',
      [...metricLines(metrics), ...more(figures.metric_count, metrics)],
      'No bound metric has a point in this time.',
    ),
  ].join('\n')
}
