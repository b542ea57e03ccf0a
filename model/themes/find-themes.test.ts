import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBuiltInEmbedder } from '../../infra/models/built-in-embedder.ts'
import { findThemes, isLeftOut, type SaidSignal } from './find-themes.ts'
import { collectMeanings } from './meanings.ts'
import { ownWords } from './own-words.ts'
import { INVOICES, OTHERS, PASSWORDS } from './testing.ts'

const themesOf = async (texts: readonly string[], nothing: readonly string[] = []): Promise<readonly string[][]> => {
  const { own } = await ownWords(texts)
  const said = own.map((text, at): SaidSignal & { readonly at: number } => ({
    text,
    nothing: nothing.includes(texts[at] ?? '') ? 0.9 : 0,
    at,
  }))
  const kept = said.filter(signal => !isLeftOut(signal))
  const meanings = collectMeanings(kept.length)
  for (const vector of await createBuiltInEmbedder().embed(kept.map(({ text }) => text))) meanings.add(vector)
  const { found } = await findThemes(kept, await meanings.done())
  return found.map(({ members }) => members.map(({ signal }) => texts[kept[signal]?.at ?? -1] ?? ''))
}

describe('Themes', () => {
  it('bring together what likely speaks of one thing, over languages', async () => {
    const themes = await themesOf([...INVOICES, ...PASSWORDS, ...OTHERS])
    assert.deepEqual(
      new Set(themes.map(theme => theme.toSorted().join('|'))),
      new Set([INVOICES.toSorted().join('|'), PASSWORDS.toSorted().join('|')]),
    )
  })

  it('are not made of a letter that unlike signals are written in', async () => {
    const letter = (text: string) =>
      `Dear support team,\n\nWe write to you through the portal of our association.\n\nSeverity: high\nRequest: ${text}\n\nThis message is meant for its addressee alone.`
    const themes = await themesOf([...INVOICES.map(letter), ...OTHERS.map(letter), ...PASSWORDS])
    assert.deepEqual(
      themes.map(theme => theme.length),
      [4, 4],
    )
    assert.ok(themes.some(theme => INVOICES.every(text => theme.includes(letter(text)))))
  })

  it('have nothing in them that says nothing', async () => {
    const nothing = [
      'Out of office until Monday.',
      'I am out of the office until Monday.',
      'Out of office until Friday.',
    ]
    const themes = await themesOf([...INVOICES, ...PASSWORDS, ...OTHERS, ...nothing, 'Hi', 'Hello', 'Thanks'], nothing)
    assert.equal(themes.length, 2)
    assert.ok(themes.flat().every(text => !nothing.includes(text)))
  })

  it('are none where there is nothing, or too little to compare', async () => {
    assert.deepEqual(await themesOf([]), [])
    assert.deepEqual(await themesOf(['One signal that is alone.']), [])
    assert.deepEqual(await themesOf(OTHERS), [])
  })
})
