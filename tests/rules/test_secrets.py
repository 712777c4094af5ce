"""Secrets are found by prefix, masked wherever they stand, and never seen where there are none."""

from __future__ import annotations

import pytest

from memwarden.core.secrets import find_secrets, redact

A36 = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
HEX32 = "0123456789abcdef0123456789abcdef"

# Built from parts, so that no scanner of this repository fires on them.
TOKENS = {
    "AWS access key": "AK" + "IA" + "QWERTYUIOP234567",
    "AWS session key": "AS" + "IA" + "QWERTYUIOP234567",
    "GitHub token": "gh" + "p_" + A36,
    "GitLab token": "gl" + "pat-" + A36[:20],
    "Slack token": "xo" + "xb-" + "123456789012-abcdefghijkl",
    "Stripe key": "sk" + "_live_" + A36[:24],
    "Google API key": "AI" + "za" + A36[:35],
    "Anthropic key": "sk-" + "ant-api03-" + A36 + A36,
    "OpenAI key": "sk-" + "proj-" + A36 + A36,
    "API key (sk-)": "sk-" + A36 + A36[:12],
    "npm token": "np" + "m_" + A36,
    "PyPI token": "pypi-" + "AgEIcHlwaS5vcmc" + A36 + A36,
    "SendGrid key": "S" + "G." + A36[:22] + "." + A36 + "1234567",
    "Twilio key": "S" + "K" + HEX32,
    "Azure storage key": "Account" + "Key=" + A36 + A36 + "abcdefghijklmn==",
    "JSON web token": "ey" + "J" + A36 + ".ey" + "J" + A36 + "." + A36,
    "private key": "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIE\n-----END RSA " + "PRIVATE KEY-----",
    "Vault token": "hv" + "s." + A36,
    "Hugging Face token": "h" + "f_" + A36,
}


@pytest.mark.parametrize(("kind", "token"), TOKENS.items(), ids=TOKENS.keys())
def test_an_issued_token_is_found_whole_and_named(kind: str, token: str) -> None:
    text = f"The key is `{token}`, keep it."
    (secret,) = find_secrets(text)
    assert (text[secret.start : secret.end], secret.kind) == (token, kind)
    assert token not in redact(text)


@pytest.mark.parametrize("first", list(TOKENS)[:4])
@pytest.mark.parametrize("second", list(TOKENS)[4:8])
def test_two_secrets_on_one_line_are_both_masked(first: str, second: str) -> None:
    masked = redact(f"{TOKENS[first]} {TOKENS[second]}")
    assert masked == f"[redacted: {first}] [redacted: {second}]"


def test_the_password_in_a_url_is_masked_and_the_rest_of_it_stays() -> None:
    password = "hun" + "ter22"
    assert redact(f"see https://ada:{password}@example.org/x") == (
        "see https://ada:[redacted: password in a URL]@example.org/x"
    )


@pytest.mark.parametrize(
    "text",
    [
        "7c1f0e5b2f9d4c3b8a7e6f5d4c3b2a1908f7e6d5",
        "sha256:" + HEX32 + HEX32,
        "123e4567-e89b-12d3-a456-426614174000",
        "n-4f7k2m9q and p-7q2m4x9k",
        "risk-based task-proj-abcdefghijklmnopqrst disk-usage",
        "git@github.com:ada/repo.git",
        "https://example.org:8080/path@v2",
        "https://user:${TOKEN}@example.org and https://user:password@example.org",
        "postgres://localhost:5432/db?user=ada",
        "mail ada@example.org about SK and AKIA",
        "a1b2c3d4" * 16,
        "-----BEGIN PUBLIC KEY-----",
    ],
)
def test_object_ids_digests_and_prose_never_fire(text: str) -> None:
    assert find_secrets(text) == ()
    assert redact(text) == text


def test_a_key_without_its_last_line_is_still_named() -> None:
    text = "-----BEGIN " + "PRIVATE KEY-----\nMIIE"
    (secret,) = find_secrets(text)
    assert secret.kind == "private key"


@pytest.mark.parametrize(
    "piece",
    [
        "eyJ-",
        "eyJaaaaaaaaaaa.",
        "-----BEGIN " + "PRIVATE KEY-----",
        "sk-ant-",
        "a+a://",
        "https://a:",
        "gh" + "p_",
        "SG.",
        "xo" + "xb-",
        ".atlasv1.",
        "Q~",
    ],
)
def test_a_megabyte_of_hostile_text_ends(piece: str) -> None:
    """A pattern that is not linear would take hours here."""
    found = find_secrets(piece * (1024 * 1024 // len(piece)))
    assert all(one.start < one.end for one in found)
