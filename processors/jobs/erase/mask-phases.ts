import { termsOf } from '../../../infra/word-index/terms.ts'
import { addCounts, wordsOf } from '../../../model/erasures/erasures.ts'
import { hasQuotes, maskQuotes, TABLES_THAT_QUOTE } from '../../../model/erasures/quotes.ts'
import { TABLES_WITH_WORDS } from '../../../model/erasures/tables.ts'
import {
  findSignalsWithWords,
  maskWords,
  postgresPattern,
  SAID,
  scriptPattern,
  storeMaskedSignals,
  withoutWords,
} from '../../../model/erasures/words.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { storeVectors } from '../../../model/signals/store-signals.ts'
import { storeTerms } from '../../../model/words/stored-terms.ts'
import { DONE, type Erasing, type PhaseResult } from './phase.ts'

const ROWS_MASKED = 200
const SAID_BY_OTHERS = 50
const DOCUMENTS_READ = 50

const LOOKED_THROUGH = [...TABLES_WITH_WORDS, ['occurrences', SAID] as const]

export const words = async (
  { id, workspaceId, sought, inside }: Erasing,
  after: string | null,
): Promise<PhaseResult> => {
  const pattern = postgresPattern(wordsOf(sought))
  const place = Number(after ?? 0)
  const table = LOOKED_THROUGH[place]
  if (pattern === null || table === undefined) return DONE
  const masked = await inside(async transaction => {
    const count = await maskWords(transaction, workspaceId, pattern, table, ROWS_MASKED)
    if (count > 0) await addCounts(transaction, id, { [table[0]]: count })
    return count
  })
  return { after: String(masked === ROWS_MASKED ? place : place + 1), done: 0 }
}

export const saidByOthers = async (
  { id, workspaceId, sought, dependencies, inside }: Erasing,
  after: string | null,
): Promise<PhaseResult> => {
  const pattern = postgresPattern(wordsOf(sought))
  const inScript = scriptPattern(wordsOf(sought))
  if (pattern === null || inScript === null) return DONE
  const { embedder } = dependencies
  const said = await inside(transaction =>
    findSignalsWithWords(transaction, workspaceId, after, pattern, SAID_BY_OTHERS),
  )
  if (said.length === 0) return DONE
  const clean = said.map(one => withoutWords(one, inScript))
  const rewritten = clean.filter(({ text }, index) => text !== said[index]?.text)
  const vectors = await embedder.embed(rewritten.map(({ text }) => text))
  await inside(async transaction => {
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    await storeMaskedSignals(transaction, workspaceId, clean)
    await storeVectors(
      transaction,
      rewritten.flatMap(({ id: signalId }, index) => {
        const vector = vectors[index]
        return vector === undefined ? [] : [{ signalId, workspaceId, model: embedder.model, vector }]
      }),
    )
    await storeTerms(
      transaction,
      rewritten.map(({ id: signalId, text }) => ({ workspaceId, signalId, id: signalId, terms: termsOf(text) })),
    )
    await addCounts(transaction, id, { signals_of_others: clean.length })
  })
  return { after: said.length < SAID_BY_OTHERS ? null : String(said.at(-1)?.number), done: 0 }
}

export const quotes = async ({ id, workspaceId, inside }: Erasing, after: string | null): Promise<PhaseResult> => {
  const [at = '0', row = ''] = after?.split(' ') ?? []
  const place = Number(at)
  const table = TABLES_THAT_QUOTE[place]
  if (table === undefined) return DONE
  const last = await inside(async transaction => {
    if (!(await hasQuotes(transaction, id))) return null
    const erasure = { workspaceId, erasureId: id }
    const page = await maskQuotes(transaction, erasure, table, row === '' ? null : row, DOCUMENTS_READ)
    if (page.changed > 0) await addCounts(transaction, id, { [table[0]]: page.changed })
    return page.last
  })
  return { after: last === null ? `${place + 1}` : `${place} ${last}`, done: 0 }
}
