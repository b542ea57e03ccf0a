import assert from 'node:assert/strict'
import { it } from 'node:test'
import { settle } from '../every-screen.ts'
import { comesToBe, DESKTOP, PHONE, type Visit } from '../visit.ts'

const AT_400_PERCENT = { width: 360, height: 225 }

/** The controls that a notice lies over. */
const COVERED = `(() => {
  const notice = document.querySelector('.mantine-Notification-root').getBoundingClientRect()
  return [...document.querySelectorAll('a[href], button, input, textarea, select')].filter(each => {
    const { left, right, top, bottom, width } = each.getBoundingClientRect()
    return each.closest('.mantine-Notifications-root') === null && each.checkVisibility() && width > 0 &&
      left < notice.right && right > notice.left && top < notice.bottom && bottom > notice.top
  }).map(each => each.ariaLabel ?? each.textContent)
})()`

/** The same in the dialog, of what is in sight there. */
const COVERED_IN_DIALOG = `(() => {
  const notice = document.querySelector('.mantine-Notification-root').getBoundingClientRect()
  const dialog = [...document.querySelectorAll('[role=dialog][aria-modal=true]')].at(-1)
  const sight = dialog.getBoundingClientRect()
  return [...dialog.querySelectorAll('a[href], button, input, textarea, select')].filter(each => {
    const { left, right, top, bottom, width } = each.getBoundingClientRect()
    return each.checkVisibility() && width > 0 && left < notice.right && right > notice.left &&
      Math.max(top, sight.top) < Math.min(bottom, sight.bottom, notice.bottom) &&
      Math.min(bottom, sight.bottom) > notice.top
  }).map(each => each.ariaLabel ?? each.textContent)
})()`

export const describeSaid = (visit: () => Visit): void => {
  const role = () => visit().page.evaluate<string>('document.activeElement.role ?? document.activeElement.type ?? ""')
  const says = (text: string) => visit().page.getByRole('status').filter({ hasText: text }).waitFor()

  it('leads from the search into its list, and empties it before it leaves it', async () => {
    const { page } = visit()
    await settle(visit(), '/app/triage')
    const search = page.getByLabel('Search signals')
    for (const key of ['Enter', 'ArrowDown']) {
      await search.fill('Amex')
      await page.keyboard.press(key)
      await comesToBe(role, 'listbox')
    }
    await page.waitForURL(url => url.searchParams.get('text') === 'Amex')
    await page.keyboard.press('/')
    await comesToBe(role, 'search')
    await page.keyboard.press('Escape')
    await comesToBe(() => search.inputValue(), '')
    assert.equal(await role(), 'search')
    await page.waitForURL(url => !url.searchParams.has('text'))
    await page.keyboard.press('Escape')
    await comesToBe(async () => (await role()) === 'search', false)
  })

  it('says how many are chosen, and that what was lifted stays', async () => {
    const { page } = visit()
    await settle(visit(), '/app/triage')
    for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
    await says('2 chosen')
    await settle(visit(), '/app/board')
    const handle = page.getByRole('button', { name: /^Move SOL-/ }).first()
    await handle.focus()
    for (const key of ['Space', 'ArrowDown', 'Escape']) await page.keyboard.press(key)
    await says('It stays where it was.')
  })

  it('closes the navigation of a phone by Escape, and gives the focus back to what opened it', async () => {
    const { page } = visit()
    await page.setViewportSize(PHONE)
    await settle(visit(), '/app/board')
    await page.getByRole('button', { name: 'Open the navigation' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Claims' }).focus()
    await page.keyboard.press('Escape')
    await comesToBe(() => page.evaluate('document.activeElement.ariaLabel'), 'Open the navigation')
    await page.setViewportSize(DESKTOP)
  })

  it('shows results of the palette and links of the navigation at 400 %', async () => {
    const { page } = visit()
    await page.setViewportSize(AT_400_PERCENT)
    await settle(visit(), '/app/board')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).waitFor()
    const inSight = `[...document.querySelectorAll('[role=option]')].filter(each => {
      const { top, bottom } = each.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    }).length >= 2`
    await comesToBe(() => page.evaluate<boolean>(inSight), true)
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Command' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    for (const name of ['Triage', 'Installation']) await page.getByRole('link', { name }).scrollIntoViewIfNeeded()
    const room = await page.evaluate<number>(
      `document.querySelector('nav a').closest('[class*=navigation]').clientHeight`,
    )
    assert.ok(room > 200, `The links have ${room} pixels.`)
    await page.setViewportSize(DESKTOP)
  })

  it('lays no notice over what can be pressed in a dialog, in a smaller window and at 400 %', async () => {
    const { page } = visit()
    await settle(visit(), '/app/claims/CLM-15')
    // A refusal stays until it is closed.
    const release = await visit().fail('update_claim')
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByRole('menuitem').first().click()
    await page.locator('.mantine-Notification-root').waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('S')
    await page.getByRole('dialog').getByRole('button', { name: 'Create Solution' }).waitFor()
    for (const size of [PHONE, { width: 700, height: 420 }, AT_400_PERCENT, DESKTOP]) {
      await page.setViewportSize(size)
      await comesToBe(() => page.evaluate(COVERED_IN_DIALOG), [])
      const { height } = (await page.getByRole('dialog').boundingBox()) ?? assert.fail('There is no dialog.')
      assert.ok(height > 120, `The dialog has ${height} pixels at ${size.width}.`)
      // What is out of sight is reached, and is free then.
      const action = page.getByRole('dialog').getByRole('button', { name: 'Create Solution' })
      await action.scrollIntoViewIfNeeded()
      assert.deepEqual(await page.evaluate(COVERED_IN_DIALOG), [])
    }
    await release()
    await page.keyboard.press('Escape')
  })

  it('lays no notice over what can be pressed', async () => {
    const { page } = visit()
    await settle(visit(), '/app/claims/CLM-15')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Title').fill('Large exports time out')
    await page.keyboard.press('Enter')
    await page.locator('.mantine-Notification-root').waitFor()
    assert.deepEqual(await page.evaluate(COVERED), [])
  })
}
