import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { INVOICES } from './proposals.ts'
import type { Visit } from './visit.ts'

export const describeClaims = (visit: () => Visit): void => {
  describe('Claims', () => {
    const titles = () => visit().page.locator('#claims bdi').allTextContents()

    it('lists them with what is behind each, by state and kind, in the address', async () => {
      const { page, open, screenshot } = visit()
      await open('/app/claims')
      await page.locator('#claims tbody tr').first().waitFor()
      await screenshot('claims')
      assert.match((await page.locator('#count').textContent()) ?? '', /^\d+ claims$/)
      assert.ok((await titles()).some(title => INVOICES[0].startsWith(title) || INVOICES[1].startsWith(title)))
      await page.locator('select[name=kind]').selectOption('opportunity')
      await page.waitForURL('**/app/claims?*kind=opportunity*')
      await page.locator('#claims tbody tr', { hasText: 'problem' }).first().waitFor({ state: 'detached' })
      await page.goBack()
      await page.locator('#claims tbody tr', { hasText: 'problem' }).first().waitFor()
    })

    it('shows a claim with its evidence, why each piece is there and what was merged into it', async () => {
      const { page, items, screenshot } = visit()
      await page.locator('#claims tr', { hasText: INVOICES[1] }).getByRole('link').click()
      await page.getByRole('heading', { name: 'Merged into it' }).waitFor()
      assert.equal(await items('evidence').count(), 2)
      const evidence = await items('evidence').allTextContents()
      for (const text of INVOICES) assert.ok(evidence.some(each => each.includes(text)))
      assert.match(
        evidence.join(),
        /attached by the pipeline.*It started the claim.*came with CLM-\d+|came with CLM-\d+/s,
      )
      assert.match((await page.locator('#lineage li').first().textContent()) ?? '', /by a member, Product manager/)
      await screenshot('claim')
    })

    it('pulls a merged claim apart, which then stays apart until somebody proposes the pair again', async () => {
      const { page, items } = visit()
      page.once('dialog', dialog => dialog.accept())
      await page.getByRole('button', { name: 'Pull apart' }).click()
      await page.getByRole('heading', { name: 'Kept apart from' }).waitFor()
      assert.equal(await items('evidence').count(), 1)
      await page.reload()
      page.once('dialog', dialog => dialog.accept())
      await page.getByRole('button', { name: 'Propose it again' }).click()
      await page.getByText('1 merge with it is proposed.').waitFor()
    })

    it('says that there is no such claim', async () => {
      const { page, open, faults } = visit()
      await open('/app/claim?id=CLM-9999')
      await page.getByText('CLM-9999').first().waitFor()
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      assert.deepEqual(
        faults.splice(0).filter(fault => !fault.includes('404')),
        [],
      )
    })
  })
}
