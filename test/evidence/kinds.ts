import { bootstrap, type Figure, share } from './confidence.ts'
import type { Pipeline } from './pipeline.ts'
import { LABELS, type Labelled, type LabelledSet } from './sets.ts'
import { readStored } from './stored.ts'
import { teach } from './teaching.ts'

/** What the pipeline said of a text of which somebody else said what it is. */
interface Answer {
  readonly label: Labelled['label']
  readonly said: Labelled['label']
  readonly confidence: number
}

export interface KindFigures {
  readonly macroF1: Figure
  readonly calibrationError: Figure
  /** Of the answers with a confidence of 0.9 or more, how many are right. */
  readonly sure: Figure
  /** How many texts got an answer at all. */
  readonly answered: Figure
}

export interface TaughtFigures extends KindFigures {
  /** After so many corrections by the people of the workspace. */
  readonly corrections: number
}

const SURE = 0.9
const BINS = 10
const CORRECTIONS = [50, 200, 500, 1500]
const HALF = 2

/**
 * Over the kinds that the set has: what was left unclassified is missed, and what praise was taken for is wrong.
 */
const macroF1 = (answers: readonly Answer[]): number => {
  const present = LABELS.filter(label => answers.some(answer => answer.label === label))
  const scores = present.map(label => {
    const right = answers.filter(answer => answer.label === label && answer.said === label).length
    const said = answers.filter(answer => answer.said === label).length
    const is = answers.filter(answer => answer.label === label).length
    return (2 * right) / Math.max(1, said + is)
  })
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length)
}

const isRight = ({ label, said }: Answer): boolean => label === said

/**
 * How far confidence is from how often it is right, over ten bins of equal width, each weighed by how many answers it
 * has.
 */
const calibrationError = (answers: readonly Answer[]): number => {
  const bins = Map.groupBy(answers, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)))
  let error = 0
  for (const bin of bins.values()) {
    const confidence = bin.reduce((sum, answer) => sum + answer.confidence, 0) / bin.length
    error += (bin.length / answers.length) * Math.abs(confidence - bin.filter(isRight).length / bin.length)
  }
  return error
}

const figuresOf = (answers: readonly Answer[]): KindFigures => {
  const given = answers.filter(({ said }) => said !== 'unclassified')
  return {
    macroF1: bootstrap(answers, macroF1),
    calibrationError: bootstrap(given, calibrationError),
    sure: share(given.filter(({ confidence }) => confidence >= SURE).map(isRight)),
    answered: share(answers.map(({ said }) => said !== 'unclassified')),
  }
}

/**
 * Without any teaching, over the whole set. What the pipeline skips as a repeat has no answer of its own, and is left
 * out.
 */
export const measureKinds = async (pipeline: Pipeline, { lines }: LabelledSet<Labelled>): Promise<KindFigures> =>
  figuresOf(await answersIn(pipeline, await pipeline.workspace(), lines))

/**
 * Half of the set is there to correct, the first so many of it; what the workspace has learned is measured on the other
 * half.
 */
export const measureTaught = async (
  pipeline: Pipeline,
  { lines }: LabelledSet<Labelled>,
): Promise<readonly TaughtFigures[]> => {
  const asked = lines.filter((_, place) => place % HALF === 0)
  const taught = lines.filter((_, place) => place % HALF !== 0)
  const figures: TaughtFigures[] = []
  for (const corrections of CORRECTIONS) {
    if (corrections > taught.length && corrections !== CORRECTIONS.at(-1)) continue
    const some = taught.slice(0, corrections)
    const workspaceId = await pipeline.workspace()
    const ids = await pipeline.put(workspaceId, some)
    await teach(
      pipeline,
      workspaceId,
      some.map(({ label }, place) => ({ id: ids[place], label })),
    )
    figures.push({ corrections: some.length, ...figuresOf(await answersIn(pipeline, workspaceId, asked)) })
  }
  return figures
}

const answersIn = async (
  pipeline: Pipeline,
  workspaceId: Awaited<ReturnType<Pipeline['workspace']>>,
  lines: readonly Labelled[],
): Promise<readonly Answer[]> => {
  const ids = await pipeline.put(workspaceId, lines)
  const { signals } = await readStored(pipeline, workspaceId)
  const found = new Map(signals.map(signal => [signal.id, signal]))
  return ids.flatMap((id, place) => {
    const [signal, line] = [found.get(id), lines[place]]
    if (signal === undefined || line === undefined) return []
    return [{ label: line.label, said: signal.label, confidence: signal.confidence }]
  })
}
