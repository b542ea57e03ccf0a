import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { t } from '../../language/messages.ts'
import classes from './conflicts.module.css'
import type { Conflict } from './form-model.ts'
import type { FormState } from './use-form.ts'

interface Props {
  readonly form: FormState
}

/** Another person's changes since the form opened, beside the own ones: the person decides each field. */
export const Conflicts = ({ form: { conflicts, labels, words, decide } }: Props) => (
  <Alert
    variant="default"
    role="alert"
    icon={<IconGitMerge size={18} color="var(--mantine-color-anchor)" />}
    title={t('Somebody changed this meanwhile')}
  >
    <Stack gap="md">
      <Text size="sm">
        {conflicts.some(({ isWritten }) => isWritten)
          ? t('Nothing was saved. Choose which version to keep; what you wrote stays here until then.')
          : t('Nothing was done. Look at what it is now, and decide again.')}
      </Text>
      {conflicts.map(conflict => (
        <Sides
          key={conflict.field}
          conflict={conflict}
          label={labels[conflict.field] ?? conflict.field}
          inWords={value => words?.(conflict.field, value) ?? shown(value)}
          onDecide={decided => decide(conflict.field, decided)}
        />
      ))}
    </Stack>
  </Alert>
)

interface SidesProps {
  readonly conflict: Conflict
  readonly label: string
  readonly inWords: (value: unknown) => string
  readonly onDecide: (decided: 'mine' | 'theirs') => void
}

const Sides = ({ conflict: { theirs, mine, isWritten }, label, inWords, onDecide }: SidesProps) => (
  <section aria-label={label}>
    <div className={classes.sides}>
      <Side
        label={isWritten ? t('{label}, theirs', { label }) : t('{label}, now', { label })}
        value={inWords(theirs)}
      />
      <Side
        label={isWritten ? t('{label}, yours', { label }) : t('{label}, when you opened this', { label })}
        value={inWords(mine)}
      />
    </div>
    <Group gap="sm" mt="xs">
      {isWritten && (
        <Button size="compact-sm" variant="default" onClick={() => onDecide('theirs')}>
          {t('Take theirs')}
        </Button>
      )}
      <Button size="compact-sm" variant="default" onClick={() => onDecide('mine')}>
        {isWritten ? t('Keep yours') : t('Go on all the same')}
      </Button>
    </Group>
  </section>
)

interface SideProps {
  readonly label: string
  readonly value: string
}

const Side = ({ label, value }: SideProps) => (
  <div>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    {/* Focusable, because a long text scrolls. */}
    <Text component="div" size="sm" dir="auto" className={classes.text} tabIndex={0} role="group" aria-label={label}>
      {value}
    </Text>
  </div>
)

/** A field's value as text: several texts below each other. */
const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(String).join('\n')
  return value === '' || value === null || value === undefined ? t('(nothing)') : String(value)
}
