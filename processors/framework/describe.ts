import { signalsTopic } from '../../schemas/events/topics.ts'
import type { Pipeline } from './pipeline.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** The pipeline reference in Markdown, made from the definitions: the steps in order with what they promise, then the segments. */
export const describePipeline = (pipeline: Pipeline): string => {
  const { steps, segments } = pipeline
  const stepRows = steps.map(
    (step, index) => `| ${index + 1} | \`${step.name}\` | ${cell(step.summary)} | ${cell(step.guarantee)} |`,
  )
  const segmentRows = segments.map(({ head, steps: inside }) => {
    const names = inside.map(step => `\`${step.name}\``).join(', ')
    const key = pipeline.spreadOf(head) === 'signal' ? 'signal id' : 'workspace id'
    const personal = pipeline.isPersonal(head) ? 'yes' : 'no'
    return `| \`${signalsTopic(head)}\`, \`${signalsTopic(head, 'bulk')}\` | ${names} | ${key} | ${personal} |`
  })
  return [
    '## Steps',
    '',
    '| # | step | what it does | delivered again |',
    '|---|---|---|---|',
    ...stepRows,
    '',
    '## Segments',
    '',
    '| topics | steps | key | may hold personal data |',
    '|---|---|---|---|',
    ...segmentRows,
    '',
  ].join('\n')
}
