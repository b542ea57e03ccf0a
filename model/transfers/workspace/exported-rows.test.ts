import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isUuid, newId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { masked, maskedDeep, maskOf } from './exported-rows.ts'

describe('A masked id', () => {
  it('is another id, of the same time, and itself again when it is masked twice', () => {
    const mask = maskOf(newId<WorkspaceId>())
    for (let made = 0; made < 1000; made += 1) {
      const id = newId<SignalId>()
      const other = masked(id, mask)
      assert.ok(isUuid(other) && other !== id, other)
      assert.equal(other.slice(0, 24), id.slice(0, 24))
      assert.equal(masked(other, mask), id)
    }
  })

  it('does not depend on which bits the mask has', () => {
    const id = '01a201af-deb4-712e-a6a4-ffffffffffff'
    assert.equal(masked(id, 0xffffffffffff), '01a201af-deb4-712e-a6a4-000000000000')
    assert.equal(masked(id, 0x800000800000), '01a201af-deb4-712e-a6a4-7fffff7fffff')
    assert.equal(masked(id, 1), '01a201af-deb4-712e-a6a4-fffffffffffe')
  })

  it('is found wherever it stands by itself, and nowhere else', () => {
    const id = '01a201af-deb4-712e-a6a4-000000000000'
    const other = '01a201af-deb4-712e-a6a4-000000000001'
    const value = { a: [id, { [id]: id }], text: `see ${id}`, number: 1, nothing: null }
    assert.deepEqual(maskedDeep(value, 1), {
      a: [other, { [other]: other }],
      text: `see ${id}`,
      number: 1,
      nothing: null,
    })
  })
})
