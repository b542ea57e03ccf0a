import { Button, Combobox, Group, Textarea, useCombobox } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { TellingButton } from '../controls.tsx'

interface Props {
  readonly label: string
  readonly placeholder?: string
  /** The verb: `Comment`. */
  readonly action: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly busy: boolean
  readonly onSubmit: () => void
  /** Leaves without saying anything; absent where there is nothing to leave. */
  readonly onCancel?: () => void
}

/** What stands before the caret from the last @ on, where that can be the beginning of a name. */
const BEGUN = /(?:^|[^\p{L}\p{N}_.])@([\p{L}\p{N}][^\n@]{0,40}|)$/u
const OFFERED = 6

/** A field for a comment. An @ offers the members; Ctrl or ⌘ with Enter sends it. */
export const CommentField = ({ label, placeholder, action, text, onChange, busy, onSubmit, onCancel }: Props) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const members = useOperation('list_members', {}, { enabled: typed !== null })
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const offered =
    typed === null
      ? []
      : (members.data?.items ?? [])
          .filter(({ name }) =>
            name
              .toLowerCase()
              .split(/\s/)
              .some((_, at, words) => words.slice(at).join(' ').startsWith(typed.toLowerCase())),
          )
          .slice(0, OFFERED)
  const look = () => {
    const before = field.current?.value.slice(0, field.current.selectionStart) ?? ''
    const begun = BEGUN.exec(before)?.[1] ?? null
    setTyped(begun)
    if (begun === null) combobox.closeDropdown()
    else combobox.openDropdown()
  }
  // Enter takes the first one that fits, as everywhere where names are offered.
  const first = offered[0]?.user_id
  const { selectFirstOption } = combobox
  useEffect(() => {
    if (typed !== null && first !== undefined) selectFirstOption()
  }, [typed, first, selectFirstOption])
  const choose = (name: string) => {
    const caret = field.current?.selectionStart ?? text.length
    const from = caret - (typed?.length ?? 0)
    onChange(`${text.slice(0, from)}${name} ${text.slice(caret)}`)
    setTyped(null)
    combobox.closeDropdown()
    field.current?.focus()
  }
  const send = () => {
    if (text.trim() !== '' && !busy) onSubmit()
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && combobox.dropdownOpened) event.stopPropagation()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" withinPortal width={240}>
        <Combobox.Target targetType="input" withKeyboardNavigation={offered.length > 0} withAriaAttributes={false}>
          <Textarea
            ref={field}
            aria-label={label}
            placeholder={placeholder ?? ''}
            autosize
            minRows={2}
            maxRows={12}
            maxLength={MAX_CHARACTERS.discussion}
            value={text}
            onChange={event => {
              onChange(event.currentTarget.value)
              look()
            }}
            onKeyDown={pressed}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={offered.length === 0}>
          <Combobox.Options aria-label={t('Members')}>
            {offered.map(({ user_id, name }) => (
              <Combobox.Option key={user_id} value={name}>
                <bdi>{name}</bdi>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {(text.trim() !== '' || onCancel !== undefined) && (
        <Group justify="flex-end" gap="sm" mt="sm">
          {onCancel !== undefined && (
            <Button size="xs" variant="default" onClick={onCancel}>
              {t('Cancel')}
            </Button>
          )}
          <TellingButton
            type="submit"
            size="xs"
            loading={busy}
            missing={text.trim() === '' ? t('Write something first.') : null}
          >
            {action}
          </TellingButton>
        </Group>
      )}
    </form>
  )
}
