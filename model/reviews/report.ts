import type { Window } from '../changes/window.ts'
import type { ReviewFigures } from './review-figures.ts'

/** A text of strangers as one line of plain Markdown: it starts no heading, list, link, code or table. */
const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>()#+|!~-]/g, '\\$&')

const day = (at: Date): string => at.toISOString().slice(0, 10)

const number = (value: number): string => String(Number(value.toPrecision(6)))

const section = (heading: string, lines: readonly string[], none: string): string =>
  `## ${heading}\n\n${lines.length === 0 ? none : lines.map(line => `- ${line}`).join('\n')}\n`

type Claims = ReviewFigures['claims']['rising']

const claimLines = (claims: Claims): string[] =>
  claims.map(
    claim =>
      `${claim.reference} ${plain(claim.title)}: ${claim.signals} (before ${claim.previous_signals}) signals from ${claim.actors} (${claim.previous_actors}) actors, ${claim.state}${repeatLines(claim.repeats ?? [])}`,
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
    `${signals.count} Signals ${signals.clock === 'occurred' ? 'by when they happened' : 'came in'} (before ${signals.previous_count})${kinds === '' ? '' : `: ${kinds}`}`,
    `${claims.new_count} claims appeared (before ${claims.previous_new_count}), ${claims.merged} merges, ${claims.moved} changes of state`,
    `${decisions} Decisions, ${solutions.changes} Solutions created or moved`,
  ]
}

const metricLines = (metrics: ReviewFigures['metrics']): string[] =>
  metrics.map(metric => {
    const before = metric.previous_value === null ? 'no value before' : `before ${number(metric.previous_value)}`
    const change = metric.change === null ? '' : `, ${metric.change}`
    const target = metric.target === null ? '' : `, target ${number(metric.target)}`
    return `${plain(metric.name)} at ${plain(metric.node)}: ${number(metric.value)} (${before})${change}${target}`
  })

/** The report in Markdown. Everything in it is in its figures. */
export const writeReport = (title: string, { from, to }: Window, figures: ReviewFigures): string => {
  const { claims, solutions, outcomes, metrics } = figures
  const states = solutions.by_state
    .filter(one => one.solutions > 0)
    .map(one => `${one.state} ${one.solutions}`)
    .join(', ')
  return [
    `# ${plain(title)}\n\n${day(from)} to ${day(to)}, compared with the same time before.\n`,
    section('What changed', changed(figures), ''),
    section('Claims that rose', claimLines(claims.rising), 'None.'),
    section('Claims that fell', claimLines(claims.falling), 'None.'),
    section(
      'Solutions',
      [
        `By state: ${states === '' ? 'none' : states}`,
        ...solutions.transitions.map(move =>
          move.from === null
            ? `${move.reference} ${plain(move.title)}: created`
            : `${move.reference} ${plain(move.title)}: ${move.from} to ${move.to}`,
        ),
      ],
      '',
    ),
    section(
      'Solutions that are stuck',
      solutions.stuck.map(one => `${one.reference} ${plain(one.title)}: ${one.days_in_state} days in ${one.state}`),
      'None.',
    ),
    section(
      'Outcomes',
      outcomes.items.map(one => `${one.reference} ${plain(one.title)}: ${one.verdict}. ${plain(one.observation)}`),
      'None recorded.',
    ),
    section('Metrics', metricLines(metrics), 'No bound metric has a point in this time.'),
  ].join('\n')
}
