/**
 * When something is worth keeping, and how: the learning cycle. The same words wherever an agent is taught it (a prompt here, a skill or
 * a command of a host).
 */
export const SAVE_MEMORY_TEXT = `Save to project memory what this conversation taught and a later session would need.

Worth saving:
- Hard-won fix: a bug that took several attempts. Keep the root cause and the solution, as a lesson.
- Non-obvious solution: it needed knowledge that stands in no document. A lesson.
- Decision moment: an architectural or design choice was made or confirmed. A decision, with its reason.
- Conflict: something in memory contradicts how things are now. Tell the user, and update or forget the entry that is out of date.
- End of session: what is left to do, and where things stand.

How:
1. Go over this conversation, and pick what is worth it. Nothing is a fine answer.
2. Look first whether it is there already: search memory for each piece, and retrieve_learnings of the scope where that tool is offered.
3. Save each piece by itself, in one or two sentences that are understood without this conversation, with the reason: the tool \`remember\` with its kind (decision, lesson, warning, preference) and the files it is about. What is left to do goes to \`tasks\`.
4. Leave out what the code or its history tells, what was only tried, and every secret.
5. Report in a few lines what was saved, what was known already, and what was left out. No confirmation is needed.`
