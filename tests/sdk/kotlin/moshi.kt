// As much of Moshi as the generated client touches, so that it can be compiled without it.
@file:Suppress("unused", "UNUSED_PARAMETER")

package com.squareup.moshi

annotation class Json(val name: String)
annotation class JsonClass(val generateAdapter: Boolean)
annotation class FromJson
annotation class ToJson

open class JsonAdapter<T> {
    fun toJson(value: T?): String = TODO()
    fun fromJson(text: String): T? = TODO()
    fun nullSafe(): JsonAdapter<T> = TODO()
}

class Moshi {
    fun <T> adapter(type: Class<T>): JsonAdapter<T> = TODO()

    class Builder {
        fun add(adapter: Any): Builder = this
        fun <T> add(type: Class<T>, adapter: JsonAdapter<T>): Builder = this
        fun build(): Moshi = TODO()
    }
}

inline fun <reified T> Moshi.adapter(): JsonAdapter<T> = TODO()
