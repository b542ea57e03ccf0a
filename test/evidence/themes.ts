import { AssayError } from '../../infra/runtime/errors.ts'
import { createFindThemesJob } from '../../processors/jobs/find-themes/find-themes.ts'
import { type JobId, newId, type SignalId } from '../../schemas/domain/ids.ts'
import { measureNeeds, type NeedFigures } from './needs.ts'
import type { Pipeline } from './pipeline.ts'
import type { LabelledSet, ThemedLine } from './sets.ts'
import { readStored } from './stored.ts'
import { adjustedRandIndex, type FirstGroups, firstGroups, themesFound } from './theme-measures.ts'
import { createPerson } from './theme-person.ts'

/** A message and what its author meant it for. */
export interface Themed extends Omit<ThemedLine, 'theme'> {
  /** None for noise, two for a message with two needs. */
  readonly themes: readonly string[]
}

/** Throws for two lines of one id: what is in a group would be counted for the wrong one. */
export const themedOf = ({ name, lines }: LabelledSet<ThemedLine>): readonly Themed[] => {
  const seen = new Set<string>()
  return lines.map(({ theme, ...line }) => {
    if (seen.has(line.id)) throw new AssayError('invalid_configuration', `${name}: ${line.id} stands on two lines.`)
    seen.add(line.id)
    return { ...line, themes: theme === null ? [] : [theme].flat() }
  })
}

export interface ThemeFigures extends FirstGroups {
  readonly needs: NeedFigures
  readonly randIndex: number
  /** Of so many. */
  readonly found: number
  readonly themes: number
  /** After so many answers of a person who never errs. */
  readonly answered: readonly Answered[]
}

interface Answered {
  readonly answers: number
  readonly randIndex: number
  readonly found: number
}

const ANSWERS = [60, 120]

const MEMBERS = `
  select theme_id, array_agg(signal_id) as signals from theme_members
  where workspace_id = $1 group by theme_id order by count(*) desc, theme_id`

/**
 * Stores messages as signals, and finds their themes as the job does; the largest are shown first. A repeat is where
 * its original is. Then a person answers.
 */
export const measureThemes = async (pipeline: Pipeline, set: LabelledSet<ThemedLine>): Promise<ThemeFigures> => {
  const lines = themedOf(set)
  const workspaceId = await pipeline.workspace()
  const ids = await pipeline.put(
    workspaceId,
    lines.map(({ text }) => ({ title: '', text })),
  )
  const needs = await measureNeeds(pipeline, workspaceId, lines, ids)
  const { database, embedder, pool } = pipeline
  const find = () =>
    createFindThemesJob({ database, embedder }).slice({
      jobId: newId<JobId>(),
      workspaceId,
      input: {},
      cursor: null,
    })
  const lineOf = new Map(ids.map((id, place) => [id, lines[place]]))
  const { repeats } = await readStored(pipeline, workspaceId)
  const repeatsOf = Map.groupBy(repeats, ({ of }) => of)
  const findGroups = async () => {
    await find()
    const { rows } = await pool.query<{ readonly signals: readonly SignalId[] }>(MEMBERS, [workspaceId])
    return rows.map(({ signals }) =>
      signals
        .flatMap(id => [id, ...(repeatsOf.get(id) ?? []).map(repeat => repeat.id)])
        .flatMap(id => lineOf.get(id)?.id ?? []),
    )
  }
  const groups = await findGroups()
  const person = createPerson(pipeline, workspaceId, id => lineOf.get(id)?.themes ?? [])
  const answered: Answered[] = []
  for (const answers of ANSWERS) {
    await person.answer(answers, find)
    const now = await findGroups()
    const randIndex = adjustedRandIndex(lines, now)
    answered.push({ answers: person.answers, randIndex, found: themesFound(lines, now).size })
  }
  return {
    needs,
    randIndex: adjustedRandIndex(lines, groups),
    found: themesFound(lines, groups).size,
    themes: new Set(lines.flatMap(({ themes }) => themes)).size,
    ...firstGroups(lines, groups),
    answered,
  }
}
