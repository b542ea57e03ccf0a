import { Button, Kbd, Stack, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ChangeModal } from '../../parts/change-dialog.tsx'

interface Option {
  readonly label: string
  readonly about?: string
  readonly run: () => void
}

interface Props {
  readonly title: string
  /** Each has its number as its key. */
  readonly options: readonly Option[]
  readonly onClose: () => void
  /** What else may be said, below the options. */
  readonly children?: ReactNode
}

/** Asks for one of a few things, at the press of a number. */
export const ChoiceDialog = ({ title, options, onClose, children }: Props) => {
  const pressed = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return
    const option = options[Number(event.key) - 1]
    if (option === undefined) return
    event.preventDefault()
    option.run()
  }
  // Of the window: whoever types fast is ahead of the dialog’s focus.
  useWindowEvent('keydown', pressed)
  return (
    <ChangeModal opened onClose={onClose} title={title} change={null}>
      <Stack gap="xs" pt="xs">
        {options.map(({ label, about, run }, place) => (
          <Button
            key={label}
            variant="default"
            justify="space-between"
            fw={450}
            onClick={run}
            data-autofocus={place === 0 || undefined}
            rightSection={
              <>
                {about !== undefined && (
                  <Text component="span" size="xs" c="dimmed" me="sm">
                    {about}
                  </Text>
                )}
                <Kbd size="xs" aria-hidden>
                  {place + 1}
                </Kbd>
              </>
            }
          >
            {label}
          </Button>
        ))}
      </Stack>
      {children}
    </ChangeModal>
  )
}
