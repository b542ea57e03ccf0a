import { type KeyboardEvent, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { t } from '../../language/messages.ts'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { type Form, useForm } from '../../parts/forms/use-form.ts'
import type { OutlinedNode } from './outline.ts'

interface Named {
  readonly [field: string]: string
  readonly name: string
}

/** Renames the node on the version that the person has seen; answers false where that failed. */
export type Rename = (name: string, expected: Form<Named>['expected']) => Promise<boolean>

interface Props {
  readonly node: OutlinedNode
  readonly onRename: Rename
  readonly onClose: () => void
}

/**
 * A node’s name, changed where it stands: Enter keeps it, Escape does not. Left with another name in it, it stays open,
 * so that nobody takes that for saved. Where somebody else renamed the node meanwhile, it says so, and Enter sends the
 * person’s own. While the name is being saved the keys are the tree’s again.
 */
export const RenameField = ({ node: { id, name, version }, onRename, onClose }: Props) => {
  const form = useForm<Named>({
    name: `rename node ${id}`,
    labels: { name: t('Name') },
    now: { version, values: { name } },
  })
  const [isSaving, setSaving] = useState(false)
  const written = form.values.name
  const close = () => {
    form.forget()
    onClose()
  }
  const keep = async (field: HTMLElement) => {
    const wanted = written.trim()
    // What is too long stays in the field, which says so.
    if (wanted.length > MAX_CHARACTERS.name) return
    if (wanted === '' || form.changes.name === undefined) return close()
    // Who has read what somebody else named it, and presses Enter, has decided.
    const expected = form.conflicts.length > 0 ? { version } : form.expected
    const line = field.closest<HTMLElement>('[data-line]')
    line?.focus()
    setSaving(true)
    const isRenamed = await onRename(wanted, expected)
    setSaving(false)
    if (isRenamed) return close()
    if (document.activeElement === line) field.focus()
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    event.stopPropagation()
    if (isSaving) return
    if (event.key === 'Escape') close()
    if (event.key === 'Enter') void keep(event.currentTarget)
  }
  return (
    <LimitedInput
      flex={1}
      size="xs"
      aria-label={t('New name of {name}', { name })}
      autoFocus
      readOnly={isSaving}
      most={MAX_CHARACTERS.name}
      value={written}
      {...(form.conflicts.length > 0 && {
        description: t('Somebody named it “{name}” meanwhile. Enter keeps yours, Escape theirs.', { name }),
      })}
      onChange={event => form.write({ name: event.currentTarget.value })}
      onFocus={event => event.currentTarget.select()}
      onClick={event => event.stopPropagation()}
      onKeyDown={press}
      onBlur={() => form.changes.name === undefined && close()}
    />
  )
}
