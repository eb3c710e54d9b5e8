"""A LLaVA of two layers with random weights, made of nothing but a configuration."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    CLIPVisionConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)
from transformers.models.clip import CLIPImageProcessor

SIDE_PX, PATCH_PX = 28, 14
TOKENS_A_PICTURE = (SIDE_PX // PATCH_PX) ** 2
POSITIONS = 4096
CHAT_TEMPLATE = (
    "{% for turn in messages %}<{{ turn.role }}>"
    "{% for part in turn.content %}"
    "{% if part.type == 'image' %}<image>{% else %}{{ part.text }}{% endif %}"
    "{% endfor %}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
_SPECIAL = ("<s>", "</s>", "<pad>", "<image>", "<user>", "<assistant>")


def save_tiny_llava(folder: Path, *, seed: int = 0, talkative: bool = True) -> Path:
    """Write a model that says what random weights say.

    Args:
        folder: Where it is written, as transformers does.
        seed: Of the weights.
        talkative: Whether it goes on until it is cut; else every second token ends a reply.
    """
    torch.manual_seed(seed)
    tokenizer = _byte_tokenizer()
    image_id, end_id = tokenizer.convert_tokens_to_ids(["<image>", "</s>"])
    config = LlavaConfig(
        vision_config=CLIPVisionConfig(
            hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
            image_size=SIDE_PX, patch_size=PATCH_PX, projection_dim=32,
        ),
        text_config=LlamaConfig(
            hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
            num_key_value_heads=2, vocab_size=len(tokenizer), max_position_embeddings=POSITIONS,
            bos_token_id=0, eos_token_id=end_id, pad_token_id=2, initializer_range=0.5,
        ),
        image_token_index=image_id,
        vision_feature_layer=-1,
    )  # fmt: skip
    model = LlavaForConditionalGeneration(config)
    letters = range(len(_SPECIAL), len(tokenizer))
    model.generation_config.eos_token_id = [end_id] if talkative else [end_id, *letters[::2]]
    model.save_pretrained(folder)
    LlavaProcessor(
        image_processor=CLIPImageProcessor(
            size={"height": SIDE_PX, "width": SIDE_PX}, do_center_crop=False
        ),
        tokenizer=tokenizer,
        patch_size=PATCH_PX,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=CHAT_TEMPLATE,
    ).save_pretrained(folder)
    return folder


def _byte_tokenizer() -> PreTrainedTokenizerFast:
    """A token a byte, so that no vocabulary has to be learnt."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: k for k, token in enumerate([*_SPECIAL, *letters])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        additional_special_tokens=list(_SPECIAL[3:]),
    )
