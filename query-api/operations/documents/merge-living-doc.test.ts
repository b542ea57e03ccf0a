import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  await workspace.inApp('create_solution', { title: 'Stream exports', comment: 'Agreed.' })
})

const edit = (markdown: string, version?: number) =>
  workspace.inApp('edit_living_document', { solution_id: 'SOL-1', markdown, version, comment: 'Written.' })
const merge = async (version: number, markdown: string) =>
  (await workspace.inApp('merge_living_document', { solution_id: 'SOL-1', version, markdown })).data

describe('merge_living_document', () => {
  it('brings an edit of an older version and the newest together, and writes nothing', async () => {
    await edit('# Plan\n\nOne.\n\nTwo.')
    await edit('# Plan\n\nOne.\n\nTwo, as they see it.', 1)
    const merged = await merge(1, '# The plan\r\n\r\nOne.\r\n\r\nTwo.')
    assert.deepEqual([merged.text, merged.conflicts], ['# The plan\n\nOne.\n\nTwo, as they see it.', 0])
    assert.deepEqual([merged.newest.version, merged.newest.author_name], [2, 'Owner'])
    await edit(merged.text, merged.newest.version)
    await assert.rejects(edit('Mine alone.', 2), failsWith('conflict'))
  })

  it('keeps both where both changed the same line, and where both began the document', async () => {
    await edit('# Plan\n\nTheirs.')
    const merged = await merge(0, '# Plan\n\nMine.')
    assert.equal(merged.conflicts, 1)
    assert.match(merged.text, /Mine\..*Theirs\./s)
  })

  it('refuses a version that never was, a Solution without a document, and viewers', async () => {
    await assert.rejects(merge(0, 'Mine.'), failsWith('not_found'))
    await edit('# Plan')
    await assert.rejects(merge(7, 'Mine.'), failsWith('not_found'))
    const input = { solution_id: 'SOL-1', version: 1, markdown: 'Mine.' }
    await assert.rejects(workspace.inApp('merge_living_document', input, 'viewer'), failsWith('forbidden'))
  })
})
