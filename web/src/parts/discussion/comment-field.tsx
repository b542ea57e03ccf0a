import { Button, Combobox, Group, useCombobox } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { useOperation } from '../../api/operations.ts'
import { plural, t } from '../../language/messages.ts'
import { say } from '../../shell/say.ts'
import { useStillWhile } from '../change-dialog.tsx'
import { TellingButton } from '../controls.tsx'
import { LimitedTextarea } from '../forms/limited-text.tsx'

interface Props {
  readonly label: string
  readonly placeholder?: string
  /** The verb: `Comment`. */
  readonly action: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly busy: boolean
  readonly onSubmit: () => void
  /** Closes the field without a comment; absent when it cannot be closed. */
  readonly onCancel?: () => void
}

/** Text before the caret from the last @ on, if it can begin a name. */
const BEGUN = /(?:^|[^\p{L}\p{N}_.])@([\p{L}\p{N}][^\n@]{0,40}|)$/u
const OFFERED = 6

/** A field for a comment. An @ offers the members; Ctrl or ⌘ with Enter sends. */
export const CommentField = ({ label, placeholder, action, text, onChange, busy, onSubmit, onCancel }: Props) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const members = useOperation('list_members', {}, { enabled: typed !== null })
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const list = useId()
  /** The id of the member that Enter takes. */
  const [current, setCurrent] = useState<string | null>(null)
  const step = (go: () => string | null) => () => {
    const id = go()
    setCurrent(id)
    return id
  }
  const store = {
    ...combobox,
    selectNextOption: step(combobox.selectNextOption),
    selectPreviousOption: step(combobox.selectPreviousOption),
  }
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
  // Enter takes the first match, as in every field that offers names.
  const first = offered[0]?.user_id
  const { selectFirstOption } = combobox
  useEffect(() => {
    if (typed !== null && first !== undefined) setCurrent(selectFirstOption())
  }, [typed, first, selectFirstOption])
  const isOffering = combobox.dropdownOpened && offered.length > 0
  const count = isOffering ? offered.length : 0
  useEffect(() => {
    if (count > 0) say(plural(count, '{number} result', '{number} results'))
  }, [count])
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
    // The form refuses a long text, as for the button.
    field.current?.form?.requestSubmit()
  }
  return (
    <form
      // A new comment leaves the field to what is written after it; a changed one takes the field along.
      ref={useStillWhile(busy && onCancel !== undefined)}
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <Combobox store={store} onOptionSubmit={choose} position="bottom-start" withinPortal width={240}>
        <Combobox.Target targetType="input" withKeyboardNavigation={offered.length > 0} withAriaAttributes={false}>
          <LimitedTextarea
            ref={field}
            aria-label={label}
            aria-autocomplete="list"
            {...(isOffering && {
              'aria-controls': list,
              ...(current !== null && { 'aria-activedescendant': current }),
            })}
            placeholder={placeholder ?? ''}
            autosize
            minRows={2}
            maxRows={12}
            most={MAX_CHARACTERS.discussion}
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
          <Combobox.Options id={list} aria-label={t('Members')}>
            {offered.map(({ user_id, name }) => (
              <Combobox.Option
                key={user_id}
                id={`${list}-${user_id}`}
                value={name}
                aria-selected={`${list}-${user_id}` === current}
              >
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
